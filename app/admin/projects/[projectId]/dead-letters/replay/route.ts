import { replayDeadLetters } from '#lib/domain/bot-events/take-dead-letters.ts';
import { adminRoute } from '#lib/http/door/admin-route.ts';
import { methods } from '#lib/http/door/api-route.ts';
import { jsonBody } from '#lib/http/door/read-body.ts';
import { json } from '#lib/http/door/reply.ts';
import { deadLettersRequest } from '#lib/protocol/bots/dead-letters.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: adminRoute({
    body: jsonBody(deadLettersRequest),
    run: async (ctx, { body }, projectId) => json(await replayDeadLetters(ctx, projectId, body)),
  }),
});
