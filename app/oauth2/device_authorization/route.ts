import { startDevice } from '#lib/domain/grants/start-device.ts';
import { apiRoute, methods } from '#lib/http/door/api-route.ts';
import { json } from '#lib/http/door/reply.ts';
import { readTokenRequest } from '#lib/http/oauth/read-token-request.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: apiRoute({
    auth: 'none',
    errors: 'oauth',
    body: { read: readTokenRequest },
    run: async (ctx, { body }) => json(await startDevice(ctx, body)),
  }),
});
