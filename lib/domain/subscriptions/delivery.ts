import { attemptId } from '../runs/attempt-id.ts';
import type { Op } from '../store/feeds/read-subscription.ts';

/** What happened, and who is to hear of it. */
export type Delivery = {
  projectId: string;
  subscriptionId: string;
  type: string;
  id: string;
  version: string;
  op: Op;
  /** A number: how many others have led to it. */
  depth: string;
  /** How often it was replayed, as a number. */
  replay?: string;
};

/** By which who is told knows the change when it comes again: by another attempt, or a replay. */
export function keyOf(delivery: Delivery): string {
  return attemptId(nameOf({ ...delivery, replay: '0' }), 'told');
}

/** The same for the same event, whoever delivers it and however often. */
export function nameOf({ subscriptionId, type, id, version, op, replay = '0' }: Delivery): string {
  return `${subscriptionId} ${op} ${type}/${id}/${version} ${replay}`;
}
