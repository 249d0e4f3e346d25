import { redeemLinkCode } from '#lib/domain/links/redeem-link-code.ts';
import { apiRoute, methods } from '#lib/http/door/api-route.ts';
import { jsonBody } from '#lib/http/door/read-body.ts';
import { json } from '#lib/http/door/reply.ts';
import { linkCodeRequest } from '#lib/protocol/requests/auth.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: apiRoute({
    auth: 'none',
    body: jsonBody(linkCodeRequest),
    run: async (ctx, { body }) => json(await redeemLinkCode(ctx, body)),
  }),
});
