import { addOwnKey, listOwnKeys } from '#lib/domain/own-keys/own-keys.ts';
import { apiRoute, methods } from '#lib/http/door/api-route.ts';
import { jsonBody } from '#lib/http/door/read-body.ts';
import { json } from '#lib/http/door/reply.ts';
import { newApiKeyRequest } from '#lib/protocol/api-keys/request.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: apiRoute({ run: async (ctx) => json(await listOwnKeys(ctx)) }),
  POST: apiRoute({
    body: jsonBody(newApiKeyRequest),
    run: async (ctx, { body }) => json(await addOwnKey(ctx, body), 201),
  }),
});
