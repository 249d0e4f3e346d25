import { readOwnAddress, requestOwnAddress } from '#lib/domain/own-account/own-address.ts';
import { apiRoute, methods } from '#lib/http/door/api-route.ts';
import { jsonBody } from '#lib/http/door/read-body.ts';
import { json } from '#lib/http/door/reply.ts';
import { ownAddressRequest } from '#lib/protocol/own-account/requests.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: apiRoute({ run: async (ctx) => json(await readOwnAddress(ctx)) }),
  POST: apiRoute({
    body: jsonBody(ownAddressRequest),
    run: async (ctx, { body }) => json(await requestOwnAddress(ctx, body), 202),
  }),
});
