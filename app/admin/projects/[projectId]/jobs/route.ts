import { listBulkJobs } from '#lib/domain/bulk-jobs/read-bulk-job.ts';
import { startBulkJob } from '#lib/domain/bulk-jobs/start-bulk-job.ts';
import { adminRoute } from '#lib/http/door/admin-route.ts';
import { methods } from '#lib/http/door/api-route.ts';
import { jsonBody } from '#lib/http/door/read-body.ts';
import { json } from '#lib/http/door/reply.ts';
import { BULK_BODY_LIMIT, bulkJobRequest } from '#lib/protocol/requests/bulk-job.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: adminRoute({
    run: async (ctx, _, projectId) => json(await listBulkJobs(ctx, projectId)),
  }),
  POST: adminRoute({
    body: jsonBody(bulkJobRequest, undefined, BULK_BODY_LIMIT),
    run: async (ctx, { body }, projectId) => {
      const { id, replayed } = await startBulkJob(ctx, projectId, body);
      return json({ id }, replayed ? 200 : 202, { location: `/admin/projects/${projectId}/jobs/${id}` });
    },
  }),
});
