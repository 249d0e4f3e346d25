import { AppError } from '#lib/base/errors.ts';
import { apiRoute } from '../../door/api-route.ts';
import { fhir } from '../../door/reply.ts';
import { requireAcceptable } from '../negotiation.ts';
import { readBundle } from './read-bundle.ts';
import { runBatch } from './run-batch.ts';
import { toBundle } from './to-response.ts';

/** POST of a batch to the base (R4 http §3.1.0.11). */
export const postBundle = apiRoute({
  async run(ctx, { request, url }) {
    requireAcceptable(request, url);
    const { type, entries } = await readBundle(request);
    if (type === 'transaction') {
      throw new AppError('business-rule', 'Transactions are not supported', { expression: 'Bundle.type' });
    }
    return fhir(toBundle('batch-response', await runBatch(ctx, entries, request)));
  },
});
