import { promoteCanaryWithSamples } from '#lib/domain/rehearsals/canary-with-samples.ts';
import { botBridge } from '#lib/domain/rest/bot-bridge.ts';
import { adminRoute } from '#lib/http/door/admin-route.ts';
import { methods } from '#lib/http/door/api-route.ts';
import { jsonBody } from '#lib/http/door/read-body.ts';
import { json } from '#lib/http/door/reply.ts';
import { canaryPromotion } from '#lib/protocol/bots/canary.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: adminRoute({
    body: jsonBody(canaryPromotion),
    run: async (ctx, { params, body }, projectId) =>
      json(await promoteCanaryWithSamples(ctx, projectId, params.botId!, body, botBridge)),
  }),
});
