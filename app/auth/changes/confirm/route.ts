import { confirmAddress } from '#lib/domain/own-account/confirm-address.ts';
import { apiRoute, methods } from '#lib/http/door/api-route.ts';
import { jsonBody } from '#lib/http/door/read-body.ts';
import { json } from '#lib/http/door/reply.ts';
import { linkRequest } from '#lib/protocol/requests/auth.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: apiRoute({
    auth: 'none',
    body: jsonBody(linkRequest),
    run: async (ctx, { body }) => json(await confirmAddress(ctx, body)),
  }),
});
