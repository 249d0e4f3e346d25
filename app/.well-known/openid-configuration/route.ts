import { apiRoute, methods } from '#lib/http/api-route.ts';
import { openIdConfiguration } from '#lib/http/openid-configuration.ts';
import { json } from '#lib/http/reply.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: apiRoute({
    auth: 'none',
    run: async () => json(openIdConfiguration(), 200, { 'cache-control': 'public, max-age=300' }),
  }),
});
