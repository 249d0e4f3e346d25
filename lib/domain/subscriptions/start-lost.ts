import { freeOrder } from '#lib/infra/jobs/free-order.ts';
import { startWorker } from '#lib/infra/jobs/start-worker.ts';
import { bury } from '../bot-events/bury.ts';
import { orderOf } from '../store/feeds/order-of.ts';
import { findRow } from '../store/find-row.ts';
import type { QueuedEvent } from '../triggers/run-event.ts';
import { buryDelivery } from './bury-delivery.ts';
import type { Delivery } from './delivery.ts';
import { keepUntold } from './keep-untold.ts';
import { noteFailure } from './note-failure.ts';
import { readActive } from './read-active.ts';

/** As many as the queue gives (jobs.ts). */
const ATTEMPTS = 19;
const MESSAGE = 'Each process that tried it was gone before it was done';

/** What no process lived to end is said where everything is said that was given up: it is a dead letter, or an error of its subscription. */
export function startLost(): Promise<void> {
  return startWorker('lost', 1, (data) =>
    'eventId' in data ? buryEvent(data as QueuedEvent) : endDelivery(data as Delivery),
  );
}

async function buryEvent(data: QueuedEvent): Promise<void> {
  const { projectId, eventId: id, botId, trigger, focus } = data;
  const job = { name: 'event' as const, data };
  await bury({ projectId, id, botId, trigger, job, focus, attempts: ATTEMPTS, message: MESSAGE });
}

/** Where it was told in order, the next one waits for it. */
async function endDelivery(data: Delivery): Promise<void> {
  await giveUp(data);
  await freeOrder(orderOf(data), data.version);
}

async function giveUp(data: Delivery): Promise<void> {
  const { projectId, subscriptionId } = data;
  const row = await findRow(projectId, 'Subscription', subscriptionId);
  const feed = row && !row.deleted ? readActive(row) : undefined;
  if (!row || !feed) return keepUntold(data, row, { why: `is not active. ${MESSAGE}`, attempt: ATTEMPTS });
  await noteFailure(row, { text: `Could not be delivered: ${MESSAGE}`, of: data, stops: false });
  await buryDelivery(data, feed.endpoint, { message: MESSAGE, attempts: ATTEMPTS });
}
