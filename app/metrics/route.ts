import { apiRoute, methods } from '#lib/http/door/api-route.ts';
import { readMetrics } from '#lib/http/server/read-metrics.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: apiRoute({ auth: 'none', run: async (ctx, { request }) => readMetrics(ctx, request) }),
});
