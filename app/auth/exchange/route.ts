import { exchangeExternal } from '#lib/domain/grants/exchange-token.ts';
import { apiRoute, methods } from '#lib/http/door/api-route.ts';
import { jsonBody } from '#lib/http/door/read-body.ts';
import { json } from '#lib/http/door/reply.ts';
import { exchangeRequest } from '#lib/protocol/requests/authorization.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: apiRoute({
    auth: 'none',
    body: jsonBody(exchangeRequest),
    run: async (ctx, { body }) => json(await exchangeExternal(ctx, body), 200, { pragma: 'no-cache' }),
  }),
});
