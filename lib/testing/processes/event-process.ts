import { startDeliveries } from '#lib/domain/subscriptions/start-deliveries.ts';
import { startEvents } from '#lib/domain/triggers/start-events.ts';
import { startInvalidation } from '#lib/infra/db/invalidation.ts';

/** Runs bots with what was accepted for them, if it is its turn, until it is killed. */
process.once('disconnect', () => process.exit(0));
await startInvalidation();
await startDeliveries();
await startEvents();
process.send?.('ready');
