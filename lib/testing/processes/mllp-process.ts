import { pace } from '#lib/base/pace.ts';
import { startMllp } from '#lib/http/mllp/start-mllp.ts';
import { startInvalidation } from '#lib/infra/db/invalidation.ts';

/** Listens for HL7 v2, or waits until whoever does is gone, until it is killed. */
process.once('disconnect', () => process.exit(0));
Object.assign(pace, { hl7WatchMs: 50, leadWatchMs: 100 });
await startInvalidation();
await startMllp();
process.send?.('ready');
