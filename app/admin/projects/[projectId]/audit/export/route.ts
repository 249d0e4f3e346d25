import { exportAudit } from '#lib/domain/audit/export-audit.ts';
import { exportChain } from '#lib/domain/audit-proof/export-chain.ts';
import { adminRoute } from '#lib/http/door/admin-route.ts';
import { methods } from '#lib/http/door/api-route.ts';
import { readQuery } from '#lib/http/door/read-query.ts';
import { streamed } from '#lib/http/door/streamed.ts';
import { auditExportQuery } from '#lib/protocol/requests/audit.ts';

const FILES = {
  csv: { contentType: 'text/csv; charset=utf-8', name: 'audit.csv' },
  chain: { contentType: 'application/x-ndjson; charset=utf-8', name: 'audit-chain.ndjson' },
  ndjson: { contentType: 'application/fhir+ndjson; charset=utf-8', name: 'audit.ndjson' },
} as const;

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: adminRoute({
    run: async (ctx, { request, url }, projectId) => {
      const query = readQuery(url, auditExportQuery);
      const { contentType, name } = FILES[query.format];
      const headers = { 'content-disposition': `attachment; filename="${name}"` };
      // Who only asks what there would be takes nothing.
      if (request.method === 'HEAD') return { status: 200, contentType, headers };
      const pieces =
        query.format === 'chain' ? await exportChain(ctx, projectId) : await exportAudit(ctx, projectId, query);
      return { status: 200, body: streamed(pieces), contentType, headers };
    },
  }),
});
