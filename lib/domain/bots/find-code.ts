import { and, eq } from 'drizzle-orm';
import { db } from '#lib/infra/db/client.ts';
import { botVersion } from '#lib/infra/db/schema/bots.ts';
import { type BotCode, toBotCode } from './to-bot-code.ts';

/** What of a version runs. */
export async function findCode(projectId: string, botId: string, number: number): Promise<BotCode | undefined> {
  const [version] = await db()
    .select({ number: botVersion.number, bundle: botVersion.bundle, sourceMap: botVersion.sourceMap })
    .from(botVersion)
    .where(and(eq(botVersion.projectId, projectId), eq(botVersion.botId, botId), eq(botVersion.number, number)));
  return version && toBotCode(version);
}
