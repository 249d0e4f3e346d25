import { and, eq } from 'drizzle-orm';
import { db } from '#lib/infra/db/client.ts';
import { botVersion } from '#lib/infra/db/schema/bots.ts';
import type { BotCode } from './load-bot.ts';

/** What a version of a bot runs, live or not. */
export async function findVersionCode(projectId: string, botId: string, number: number): Promise<BotCode | undefined> {
  const [version] = await db()
    .select({ number: botVersion.number, bundle: botVersion.bundle, sourceMap: botVersion.sourceMap })
    .from(botVersion)
    .where(and(eq(botVersion.projectId, projectId), eq(botVersion.botId, botId), eq(botVersion.number, number)));
  return version && { ...version, sourceMap: version.sourceMap ?? undefined };
}
