import { and, eq, sql } from 'drizzle-orm';
import { db } from '#lib/infra/db/client.ts';
import { botVersion } from '#lib/infra/db/schema/bots.ts';
import { ownSources } from '#lib/protocol/bots/to-program.ts';

/** The source texts that its author wrote of the version that is live; undefined where none is. */
export async function findSources(projectId: string, botId: string): Promise<string[] | undefined> {
  const [row] = await db()
    .select({ source: botVersion.source, files: botVersion.files })
    .from(botVersion)
    .where(
      and(
        eq(botVersion.projectId, projectId),
        eq(botVersion.botId, botId),
        sql`${botVersion.number} = (select d.number from bot_deployment d where d.project_id = ${projectId} and d.bot_id = ${botId})`,
      ),
    );
  return row && ownSources({ source: row.source, files: row.files === null ? [] : JSON.parse(row.files) });
}
