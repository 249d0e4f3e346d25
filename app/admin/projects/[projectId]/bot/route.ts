import { createBot } from '#lib/domain/bots/create-bot.ts';
import { createdReply } from '#lib/http/door/admin-reply.ts';
import { adminRoute } from '#lib/http/door/admin-route.ts';
import { methods } from '#lib/http/door/api-route.ts';
import { jsonBody } from '#lib/http/door/read-body.ts';
import { createBotRequest } from '#lib/protocol/requests/create-bot.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: adminRoute({
    body: jsonBody(createBotRequest),
    run: async (ctx, { body, extended }, projectId) => createdReply(await createBot(ctx, projectId, body), extended),
  }),
});
