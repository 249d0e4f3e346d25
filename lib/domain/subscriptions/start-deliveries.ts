import { startDeliveryWorker } from '#lib/infra/jobs/start-delivery-worker.ts';
import { deliver } from './deliver.ts';
import type { Delivery } from './delivery.ts';

/** Tells subscriptions what they wait for: of one resource one after the other. Resolves to what ends it in this process. */
export function startDeliveries(): Promise<() => Promise<void>> {
  return startDeliveryWorker<Delivery>(
    'hook',
    ({ subscriptionId, type, id }) => `${subscriptionId} ${type}/${id}`,
    deliver,
  );
}
