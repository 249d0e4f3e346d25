import { readOwnErasure, requestOwnErasure } from '#lib/domain/own-account/own-erasure.ts';
import { apiRoute, methods } from '#lib/http/door/api-route.ts';
import { jsonBody } from '#lib/http/door/read-body.ts';
import { json } from '#lib/http/door/reply.ts';
import { erasureRequest } from '#lib/protocol/own-account/requests.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: apiRoute({ run: async (ctx) => json(await readOwnErasure(ctx)) }),
  POST: apiRoute({
    body: jsonBody(erasureRequest),
    run: async (ctx, { body }) => json(await requestOwnErasure(ctx, body), 202),
  }),
});
