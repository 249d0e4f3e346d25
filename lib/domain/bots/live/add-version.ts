import { and, eq, max } from 'drizzle-orm';
import type { Queryable } from '#lib/infra/db/client.ts';
import { botVersion } from '#lib/infra/db/schema/bots.ts';
import { sourceHash } from '../../bytes/source-hash.ts';

type Version = typeof botVersion.$inferSelect;
type Own = Pick<Version, 'projectId' | 'botId' | 'author' | 'note'>;

/** Code that was compiled for another version, or bot, byte for byte as this bot's next version; its number. Under the bot's lock. */
export async function addVersion(tx: Queryable, version: Version, own: Own): Promise<number> {
  const { projectId, botId } = own;
  const [top] = await tx
    .select({ newest: max(botVersion.number) })
    .from(botVersion)
    .where(and(eq(botVersion.projectId, projectId), eq(botVersion.botId, botId)));
  const number = (top?.newest ?? 0) + 1;
  const made = { number, fromNumber: null, createdAt: new Date(), sourceHash: sourceHash(Buffer.from(version.source)) };
  await tx.insert(botVersion).values({ ...version, ...own, ...made });
  return number;
}
