import { createBot } from '#lib/domain/bots/create-bot.ts';
import { etag, toWire } from '#lib/domain/store/row.ts';
import { apiRoute, methods } from '#lib/http/api-route.ts';
import { jsonBody } from '#lib/http/read-body.ts';
import { fhir } from '#lib/http/reply.ts';
import { createBotRequest } from '#lib/protocol/requests/create-bot.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: apiRoute({
    body: jsonBody(createBotRequest),
    run: async (ctx, { params, body, extended }) => {
      const row = await createBot(ctx, params.projectId!, body);
      return fhir(toWire(row, extended), 201, { etag: etag(row) });
    },
  }),
});
