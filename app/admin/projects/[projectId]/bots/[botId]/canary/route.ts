import { readCanary } from '#lib/domain/bots/canary/read-canary.ts';
import { withdrawCanary } from '#lib/domain/bots/canary/withdraw-canary.ts';
import { startCanaryWithSamples } from '#lib/domain/rehearsals/canary-with-samples.ts';
import { botBridge } from '#lib/domain/rest/bot-bridge.ts';
import { okReply } from '#lib/http/door/admin-reply.ts';
import { adminRoute } from '#lib/http/door/admin-route.ts';
import { methods } from '#lib/http/door/api-route.ts';
import { jsonBody } from '#lib/http/door/read-body.ts';
import { readQuery } from '#lib/http/door/read-query.ts';
import { json } from '#lib/http/door/reply.ts';
import { canaryRequest, canaryWithdrawal } from '#lib/protocol/bots/canary.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: adminRoute({
    run: async (ctx, { params }, projectId) => json(await readCanary(ctx, projectId, params.botId!)),
  }),
  PUT: adminRoute({
    body: jsonBody(canaryRequest),
    run: async (ctx, { params, body }, projectId) => {
      await startCanaryWithSamples(ctx, projectId, params.botId!, body, botBridge);
      return okReply();
    },
  }),
  DELETE: adminRoute({
    run: async (ctx, { params, url }, projectId) => {
      const { version } = readQuery(url, canaryWithdrawal);
      await withdrawCanary(ctx, projectId, params.botId!, version);
      return okReply();
    },
  }),
});
