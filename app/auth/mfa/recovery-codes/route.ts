import { renewRecoveryCodes } from '#lib/domain/sign-in/own-factors.ts';
import { apiRoute, methods } from '#lib/http/door/api-route.ts';
import { jsonBody } from '#lib/http/door/read-body.ts';
import { json } from '#lib/http/door/reply.ts';
import { recoveryCodesRequest } from '#lib/protocol/factors/requests.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: apiRoute({
    body: jsonBody(recoveryCodesRequest),
    run: async (ctx, { body }) => json(await renewRecoveryCodes(ctx, body)),
  }),
});
