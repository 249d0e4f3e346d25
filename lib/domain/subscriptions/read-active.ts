import { AppError } from '#lib/base/errors.ts';
import { type Feed, readSubscription, type Subscription } from '../store/feeds/read-subscription.ts';
import { type Row, toResource } from '../store/row.ts';

/** What a Subscription waits for; undefined for one that is not active, or cannot be understood any longer. */
export function readActive(row: Row): Feed | undefined {
  const subscription = toResource<Subscription>(row);
  if (subscription.status !== 'active') return undefined;
  try {
    return readSubscription(row.projectId, subscription);
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}
