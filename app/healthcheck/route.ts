import { apiRoute, methods } from '#lib/http/api-route.ts';
import { healthcheck } from '#lib/http/healthcheck.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: apiRoute({ auth: 'none', run: healthcheck }),
});
