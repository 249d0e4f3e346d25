import { AppError } from '#lib/base/errors.ts';
import { hl7Feed } from '#lib/infra/db/schema/hl7.ts';
import type { Hl7Feed } from '#lib/protocol/hl7/feeds/feed-answers.ts';
import type { FeedChange } from '#lib/protocol/hl7/feeds/feed-requests.ts';
import { type Ctx, requireProjectAdmin } from '../access/context.ts';
import { write } from '../audit/write.ts';
import { throwTaken, toColumns, toTold, versionOf } from './feed-columns.ts';
import { readFeed } from './list-feeds.ts';
import { WOKEN } from './listened.ts';
import { isFeed, requireFeed } from './require-feed.ts';

/** The whole of a feed anew; connections that it no longer allows are closed within a second. What waits runs by the new bot. Throws as `addFeed`, 404, and 412. */
export async function changeFeed(ctx: Ctx, projectId: string, feedId: string, request: FeedChange): Promise<Hl7Feed> {
  requireProjectAdmin(ctx, projectId);
  const columns = await toColumns(projectId, request, await requireFeed(ctx, projectId, feedId));
  await write(ctx, async (w) => {
    const stored = await requireFeed(ctx, projectId, feedId, w.tx);
    if (request.over !== undefined && request.over !== versionOf(stored))
      throw new AppError('precondition-failed', 'Somebody else changed this feed meanwhile', { expression: 'over' });
    const before = toTold(stored);
    const after = toTold(columns);
    if (JSON.stringify(before) === JSON.stringify(after)) return w.unchanged();
    await w.tx
      .update(hl7Feed)
      .set({ ...columns, ...WOKEN, fault: null, faultAt: null })
      .where(isFeed(projectId, feedId))
      .catch((error) => throwTaken(error, columns));
    w.audit({ projectId, action: 'hl7.feed.update', target: `Bot/${columns.botId}`, before, after });
  });
  return readFeed(ctx, projectId, feedId);
}
