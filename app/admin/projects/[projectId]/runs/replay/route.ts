import { botBridge } from '#lib/domain/rest/bot-bridge.ts';
import { replayRuns, requireReplayer } from '#lib/domain/run-log/replay-runs.ts';
import { startJobReply } from '#lib/http/bots/async-job.ts';
import { adminRoute } from '#lib/http/door/admin-route.ts';
import { methods } from '#lib/http/door/api-route.ts';
import { onceClaimed } from '#lib/http/door/idempotency.ts';
import { jsonBody } from '#lib/http/door/read-body.ts';
import { replayRunsRequest } from '#lib/protocol/bots/runs/run-requests.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: adminRoute({
    body: jsonBody(replayRunsRequest),
    run: (ctx, { request, body }, projectId) => {
      requireReplayer(ctx, projectId);
      return onceClaimed(ctx, request, body, () =>
        startJobReply(ctx, request, (job) => replayRuns(ctx, projectId, body, { bridge: botBridge, job })),
      );
    },
  }),
});
