import { AppError } from '#lib/base/errors.ts';
import { type Feed, isSocketFeed, readSubscription, type Subscription } from '../store/feeds/read-subscription.ts';
import { type Row, toResource } from '../store/row.ts';

/** What those are told who listen to it by a socket; undefined when that is nothing, or nothing any more. */
export function readListened(row: Row): Feed | undefined {
  if (row.deleted) return undefined;
  const subscription = toResource<Subscription>(row);
  if (subscription.status !== 'active' || subscription.channel?.type !== 'websocket') return undefined;
  try {
    const feed = readSubscription(row.projectId, subscription);
    return isSocketFeed(feed) && feed.end > Date.now() ? feed : undefined;
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}
