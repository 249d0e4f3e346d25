import { apiRoute } from '../../door/api-route.ts';
import { fhir } from '../../door/reply.ts';
import { requireNoPart } from '../general.ts';
import { refuseKey } from '../preconditions.ts';
import { readBundle } from './read-bundle.ts';
import { runBatch } from './run-batch.ts';
import { runEntries } from './run-entries.ts';
import { toBundle } from './to-response.ts';

/** POST of a batch or transaction to the base (R4 http §3.1.0.11). */
export const postBundle = apiRoute({
  async run(ctx, { request, url, extended }) {
    requireNoPart(request, url);
    refuseKey(request);
    const { type, entries } = await readBundle(request);
    if (type === 'batch') return fhir(toBundle('batch-response', await runBatch(ctx, entries, request)));
    return fhir(toBundle('transaction-response', await runEntries(ctx, entries, { request, extended })));
  },
});
