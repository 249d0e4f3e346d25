import { revealRun } from '#lib/domain/run-log/reveal-run.ts';
import { adminRoute } from '#lib/http/door/admin-route.ts';
import { methods } from '#lib/http/door/api-route.ts';
import { jsonBody } from '#lib/http/door/read-body.ts';
import { json } from '#lib/http/door/reply.ts';
import { revealRequest } from '#lib/protocol/bots/runs/run-requests.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: adminRoute({
    body: jsonBody(revealRequest),
    run: async (ctx, { params, body }, projectId) => json(await revealRun(ctx, projectId, params.runId!, body)),
  }),
});
