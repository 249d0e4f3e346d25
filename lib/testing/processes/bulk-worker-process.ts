import { startBulkWorker } from '#lib/http/server/bulk-worker.ts';
import { startInvalidation } from '#lib/infra/db/invalidation.ts';

/** A worker to be killed: takes bulk jobs off the queue of DATABASE_URL until its parent ends it. */
await startInvalidation();
await startBulkWorker();
process.send?.('ready');
process.once('disconnect', () => process.exit(0));
