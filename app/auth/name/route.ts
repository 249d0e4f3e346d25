import { changeOwnName, readOwnName } from '#lib/domain/own-account/own-name.ts';
import { apiRoute, methods } from '#lib/http/door/api-route.ts';
import { jsonBody } from '#lib/http/door/read-body.ts';
import { json } from '#lib/http/door/reply.ts';
import { ownNameRequest } from '#lib/protocol/own-account/requests.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: apiRoute({ run: async (ctx) => json(await readOwnName(ctx)) }),
  PUT: apiRoute({
    body: jsonBody(ownNameRequest),
    run: async (ctx, { body }) => json(await changeOwnName(ctx, body)),
  }),
});
