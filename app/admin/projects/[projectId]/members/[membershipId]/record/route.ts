import { exportRecord } from '#lib/domain/transfer/export-record.ts';
import { adminRoute } from '#lib/http/door/admin-route.ts';
import { methods } from '#lib/http/door/api-route.ts';
import { streamed } from '#lib/http/door/streamed.ts';

const contentType = 'application/fhir+ndjson; charset=utf-8';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: adminRoute({
    run: async (ctx, { request, params: { membershipId = '' } }, projectId) => {
      const headers = { 'content-disposition': `attachment; filename="record-${membershipId}.ndjson"` };
      // Who only asks what there would be takes nothing.
      if (request.method === 'HEAD') return { status: 200, contentType, headers };
      return { status: 200, body: streamed(await exportRecord(ctx, projectId, membershipId)), contentType, headers };
    },
  }),
});
