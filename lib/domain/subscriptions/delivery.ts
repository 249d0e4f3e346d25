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
};
