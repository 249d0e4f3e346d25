import { listProjectRuns } from '#lib/domain/run-log/list-project-runs.ts';
import { adminRoute } from '#lib/http/door/admin-route.ts';
import { methods } from '#lib/http/door/api-route.ts';
import { jsonBody } from '#lib/http/door/read-body.ts';
import { json } from '#lib/http/door/reply.ts';
import { searchRunsRequest } from '#lib/protocol/bots/runs/run-requests.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: adminRoute({
    body: jsonBody(searchRunsRequest),
    run: async (ctx, { body }, projectId) => json(await listProjectRuns(ctx, projectId, body)),
  }),
});
