import { decideAuthorization } from '#lib/domain/authorize/decide-authorization.ts';
import { describeAuthorization } from '#lib/domain/authorize/describe-authorization.ts';
import { apiRoute, methods } from '#lib/http/door/api-route.ts';
import { jsonBody } from '#lib/http/door/read-body.ts';
import { json } from '#lib/http/door/reply.ts';
import { authorizationRequest } from '#lib/protocol/requests/authorization.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: apiRoute({ run: async (ctx, { url }) => json(await describeAuthorization(ctx, url.searchParams)) }),
  POST: apiRoute({
    body: jsonBody(authorizationRequest),
    run: async (ctx, { body }) => json(await decideAuthorization(ctx, body)),
  }),
});
