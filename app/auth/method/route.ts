import { chooseMethod } from '#lib/domain/external/choose-method.ts';
import { apiRoute, methods } from '#lib/http/door/api-route.ts';
import { jsonBody } from '#lib/http/door/read-body.ts';
import { json } from '#lib/http/door/reply.ts';
import { methodRequest } from '#lib/protocol/requests/authorization.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: apiRoute({
    auth: 'none',
    body: jsonBody(methodRequest),
    run: async (ctx, { body }) => json(await chooseMethod(ctx, body)),
  }),
});
