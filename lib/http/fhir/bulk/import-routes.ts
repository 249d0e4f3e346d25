import { cancelImport } from '#lib/domain/bulk-import/cancel-import.ts';
import { readImport, readRefusals } from '#lib/domain/bulk-import/read-import.ts';
import { acceptedLater } from '#lib/protocol/fhir/outcome.ts';
import { apiRoute } from '../../door/api-route.ts';
import { fhir } from '../../door/reply.ts';
import { toStatus } from './to-status.ts';

/** GET import/:importId/status: 202 while files are read, 200 with the manifest. */
export const readImportRoute = apiRoute({
  run: async (ctx, { params }) => toStatus(await readImport(ctx, params.importId!)),
});

/** DELETE import/:importId/status */
export const cancelImportRoute = apiRoute({
  async run(ctx, { params }) {
    await cancelImport(ctx, params.importId!);
    return fhir(acceptedLater('The import is cancelled'), 202);
  },
});

/** GET import/:importId/:file: why lines of it were refused. */
export const readRefusalsRoute = apiRoute({
  async run(ctx, { params }) {
    const { importId = '', file = '' } = params;
    return { status: 200, contentType: 'application/fhir+ndjson', body: await readRefusals(ctx, importId, file) };
  },
});
