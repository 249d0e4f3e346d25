import { startDeliveryWorker } from '#lib/infra/jobs/start-delivery-worker.ts';
import { orderOf } from '../store/feeds/order-of.ts';
import { deliver } from './deliver.ts';
import type { Delivery } from './delivery.ts';

/**
 * Tells subscriptions what they wait for: of one resource one after the other, and where they ask for that, none before an earlier one has ended. Resolves to
 * what ends it in this process.
 */
export async function startDeliveries(): Promise<() => Promise<void>> {
  const queues = ['hook', 'ordered'] as const;
  const stops = await Promise.all(queues.map((queue) => startDeliveryWorker<Delivery>(queue, orderOf, deliver)));
  return async () => {
    await Promise.all(stops.map((stop) => stop()));
  };
}
