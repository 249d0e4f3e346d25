import { dryRun } from '#lib/domain/rehearsals/dry-run.ts';
import { botBridge } from '#lib/domain/rest/bot-bridge.ts';
import { adminRoute } from '#lib/http/door/admin-route.ts';
import { methods } from '#lib/http/door/api-route.ts';
import { endWork } from '#lib/http/door/large-bodies.ts';
import { jsonBody } from '#lib/http/door/read-body.ts';
import { json } from '#lib/http/door/reply.ts';
import { DRY_RUN_BODY_LIMIT, dryRunRequest } from '#lib/protocol/bots/dry-run.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: adminRoute({
    body: jsonBody(dryRunRequest, undefined, DRY_RUN_BODY_LIMIT),
    run: async (ctx, { request, params, body }, projectId) => {
      endWork(request);
      return json(await dryRun(ctx, projectId, params.botId!, body, botBridge));
    },
  }),
});
