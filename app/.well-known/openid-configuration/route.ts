import { apiRoute, methods } from '#lib/http/door/api-route.ts';
import { json } from '#lib/http/door/reply.ts';
import { openIdConfiguration } from '#lib/http/oauth/openid-configuration.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: apiRoute({
    auth: 'none',
    run: async () => json(openIdConfiguration(), 200, { 'cache-control': 'public, max-age=300' }),
  }),
});
