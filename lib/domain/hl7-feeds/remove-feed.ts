import { and, eq, sql } from 'drizzle-orm';
import { AppError } from '#lib/base/errors.ts';
import type { Queryable } from '#lib/infra/db/client.ts';
import { hl7Feed, hl7Message } from '#lib/infra/db/schema/hl7.ts';
import { type Ctx, requireProjectAdmin } from '../access/context.ts';
import { write } from '../audit/write.ts';
import { isFeed, requireFeed } from './require-feed.ts';

/**
 * Nobody listens for it any more, and its messages are told no longer: they go when their time is over. Throws 403, 404, and 409 while messages wait that were
 * acknowledged.
 */
export async function removeFeed(ctx: Ctx, projectId: string, feedId: string): Promise<void> {
  requireProjectAdmin(ctx, projectId);
  await write(ctx, async (w) => {
    const { name, port, botId } = await requireFeed(ctx, projectId, feedId, w.tx);
    if (await hasWaiting(w.tx, projectId, feedId))
      throw new AppError(
        'conflict',
        'Messages wait that were acknowledged: turn the feed off, and take it out when they have run',
      );
    await w.tx.delete(hl7Feed).where(isFeed(projectId, feedId));
    w.audit({ projectId, action: 'hl7.feed.delete', target: `Bot/${botId}`, before: { name, port } });
  });
}

async function hasWaiting(tx: Queryable, projectId: string, feedId: string): Promise<boolean> {
  const here = and(eq(hl7Message.projectId, projectId), eq(hl7Message.feedId, feedId));
  const [row] = await tx
    .select({ id: hl7Message.id })
    .from(hl7Message)
    .where(and(here, sql`${hl7Message.state} in ('waiting', 'running')`))
    .limit(1);
  return row !== undefined;
}
