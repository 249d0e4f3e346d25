import { verifyFactor } from '#lib/domain/sign-in/verify-factor.ts';
import { apiRoute, methods } from '#lib/http/door/api-route.ts';
import { jsonBody } from '#lib/http/door/read-body.ts';
import { json } from '#lib/http/door/reply.ts';
import { verifyFactorRequest } from '#lib/protocol/factors/requests.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: apiRoute({
    auth: 'none',
    body: jsonBody(verifyFactorRequest),
    run: async (ctx, { body }) => json(await verifyFactor(ctx, body)),
  }),
});
