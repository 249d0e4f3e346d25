import { chooseScope } from '#lib/domain/sign-in/choose-scope.ts';
import { apiRoute, methods } from '#lib/http/door/api-route.ts';
import { jsonBody } from '#lib/http/door/read-body.ts';
import { json } from '#lib/http/door/reply.ts';
import { chooseScopeRequest } from '#lib/protocol/requests/auth.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: apiRoute({
    auth: 'none',
    body: jsonBody(chooseScopeRequest),
    run: async (ctx, { body }) => json(await chooseScope(ctx, body)),
  }),
});
