import { introspectToken } from '#lib/domain/oauth/introspect-token.ts';
import { apiRoute, methods } from '#lib/http/door/api-route.ts';
import { json } from '#lib/http/door/reply.ts';
import { readTokenQuestion } from '#lib/http/oauth/read-token-request.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: apiRoute({
    auth: 'none',
    errors: 'oauth',
    body: { read: readTokenQuestion },
    run: async (ctx, { body }) => json(await introspectToken(ctx, body)),
  }),
});
