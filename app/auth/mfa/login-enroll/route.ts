import { enrollAtSignIn } from '#lib/domain/sign-in/verify-factor.ts';
import { apiRoute, methods } from '#lib/http/door/api-route.ts';
import { jsonBody } from '#lib/http/door/read-body.ts';
import { json } from '#lib/http/door/reply.ts';
import { enrollAtSignInRequest } from '#lib/protocol/factors/requests.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: apiRoute({
    auth: 'none',
    body: jsonBody(enrollAtSignInRequest),
    run: async (ctx, { body }) => json(await enrollAtSignIn(ctx, body)),
  }),
});
