import { startDeliveryWorker } from '#lib/infra/jobs/start-delivery-worker.ts';
import { laneOf } from '../bot-events/queue-bot-event.ts';
import { type QueuedEvent, runEvent } from './run-event.ts';

/** Runs bots with what was accepted for them: of one lane one after the other. Resolves to what ends it in this process. */
export function startEvents(): Promise<() => Promise<void>> {
  return startDeliveryWorker<QueuedEvent>(
    'event',
    ({ botId, lane, eventId }) => laneOf({ botId, lane: lane || eventId }),
    runEvent,
  );
}
