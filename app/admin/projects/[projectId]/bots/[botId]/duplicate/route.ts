import { duplicateBot } from '#lib/domain/bots/draft/duplicate-bot.ts';
import { createdReply } from '#lib/http/door/admin-reply.ts';
import { adminRoute } from '#lib/http/door/admin-route.ts';
import { methods } from '#lib/http/door/api-route.ts';
import { jsonBody } from '#lib/http/door/read-body.ts';
import { duplicateBotRequest } from '#lib/protocol/requests/bot-console.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: adminRoute({
    body: jsonBody(duplicateBotRequest),
    run: async (ctx, { params, body, extended }, projectId) =>
      createdReply(await duplicateBot(ctx, projectId, params.botId!, body), extended),
  }),
});
