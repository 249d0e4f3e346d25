import { bulkJobResult } from '#lib/domain/bulk-jobs/result-file.ts';
import { adminRoute } from '#lib/http/door/admin-route.ts';
import { methods } from '#lib/http/door/api-route.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: adminRoute({
    run: async (ctx, { params }, projectId) => ({
      status: 200,
      body: await bulkJobResult(ctx, projectId, params.jobId!),
      contentType: 'text/csv; charset=utf-8',
      headers: { 'content-disposition': `attachment; filename="job-${params.jobId}.csv"` },
    }),
  }),
});
