import { rollbackBot } from '#lib/domain/bots/rollback-bot.ts';
import { adminRoute } from '#lib/http/admin-route.ts';
import { methods } from '#lib/http/api-route.ts';
import { jsonBody } from '#lib/http/read-body.ts';
import { json } from '#lib/http/reply.ts';
import { rollbackRequest } from '#lib/protocol/requests/bot-console.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: adminRoute({
    body: jsonBody(rollbackRequest),
    run: async (ctx, { params, body }, projectId) =>
      json(await rollbackBot(ctx, projectId, params.botId!, body.number), 201),
  }),
});
