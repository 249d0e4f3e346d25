import { botBridge } from '#lib/domain/rest/bot-bridge.ts';
import { replayRun } from '#lib/domain/run-log/replay-run.ts';
import { adminRoute } from '#lib/http/door/admin-route.ts';
import { methods } from '#lib/http/door/api-route.ts';
import { onceClaimed } from '#lib/http/door/idempotency.ts';
import { jsonBody } from '#lib/http/door/read-body.ts';
import { json } from '#lib/http/door/reply.ts';
import { replayRunRequest } from '#lib/protocol/bots/runs/run-requests.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: adminRoute({
    body: jsonBody(replayRunRequest),
    run: (ctx, { request, params, body }, projectId) =>
      onceClaimed(ctx, request, body, async () =>
        json(await replayRun(ctx, projectId, params.runId!, body, botBridge), 201),
      ),
  }),
});
