import { isAborted } from './errors.ts';

/**
 * Statements of one transaction that need nothing of each other: sent one after the other on its connection, without waiting between them.
 * All have ended when this does, whichever failed: what was sent after the rollback would be outside the transaction. Throws what the first
 * of them says, in this order, but not what only tells that another has failed.
 */
export async function together<T extends readonly unknown[]>(...all: { [K in keyof T]: Promise<T[K]> }): Promise<T> {
  const settled = await Promise.allSettled(all);
  const reasons = settled.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  if (reasons.length > 0) throw reasons.find((reason) => !isAborted(reason)) ?? reasons[0];
  return settled.map((one) => (one.status === 'fulfilled' ? one.value : undefined)) as unknown as T;
}
