import { cancelExport } from '#lib/domain/bulk-data/cancel-export.ts';
import { fetchPiece } from '#lib/domain/bulk-data/fetch-piece.ts';
import { readExport } from '#lib/domain/bulk-data/read-export.ts';
import { acceptedLater } from '#lib/protocol/fhir/outcome.ts';
import { apiRoute } from '../../door/api-route.ts';
import { fhir } from '../../door/reply.ts';
import { streamed } from '../../door/streamed.ts';
import { toStatus } from './to-status.ts';

/** GET export/:exportId/status: 202 while it is planned, 200 with the manifest (Bulk Data Access §3.1.5). */
export const readExportRoute = apiRoute({
  run: async (ctx, { params }) => toStatus(await readExport(ctx, params.exportId!)),
});

/** DELETE export/:exportId/status */
export const cancelExportRoute = apiRoute({
  async run(ctx, { params }) {
    await cancelExport(ctx, params.exportId!);
    return fhir(acceptedLater('The export is cancelled'), 202);
  },
});

/** GET export/:exportId/:piece, by its signature alone. */
export const fetchPieceRoute = apiRoute({
  auth: 'none',
  async run(ctx, { request, url, params }) {
    const given = (name: string) => url.searchParams.get(name) ?? '';
    const link = { projectId: given('project'), expires: given('expires'), signature: given('signature') };
    const contentType = 'application/fhir+ndjson';
    const { exportId = '', piece = '' } = params;
    const lines = await fetchPiece(ctx, { ...link, exportId, piece }, request.method === 'HEAD');
    return lines ? { status: 200, contentType, body: streamed(lines), packed: true } : { status: 200, contentType };
  },
});
