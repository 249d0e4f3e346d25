import { registerApp } from '#lib/domain/client-registration/register-app.ts';
import { apiRoute, methods } from '#lib/http/door/api-route.ts';
import { json } from '#lib/http/door/reply.ts';
import { readRegistration } from '#lib/http/oauth/read-registration.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: apiRoute({
    auth: 'none',
    errors: 'oauth',
    body: { read: readRegistration },
    run: async (ctx, { body: { token, metadata } }) =>
      json(await registerApp(ctx, token, metadata), 201, { pragma: 'no-cache' }),
  }),
});
