import { goBackTo } from '#lib/domain/rehearsals/go-back-to.ts';
import { botBridge } from '#lib/domain/rest/bot-bridge.ts';
import { adminRoute } from '#lib/http/door/admin-route.ts';
import { methods } from '#lib/http/door/api-route.ts';
import { jsonBody } from '#lib/http/door/read-body.ts';
import { json } from '#lib/http/door/reply.ts';
import { rollbackRequest } from '#lib/protocol/requests/bot-console.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: adminRoute({
    body: jsonBody(rollbackRequest),
    run: async (ctx, { params, body }, projectId) =>
      json(await goBackTo(ctx, projectId, params.botId!, body, botBridge), 201),
  }),
});
