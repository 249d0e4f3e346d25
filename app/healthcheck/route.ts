import { apiRoute, methods } from '#lib/http/door/api-route.ts';
import { healthcheck } from '#lib/http/server/healthcheck.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: apiRoute({ auth: 'none', run: healthcheck }),
});
