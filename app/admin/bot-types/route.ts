import { readTypes } from '#lib/http/bots/read-types.ts';
import { apiRoute, methods } from '#lib/http/door/api-route.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: apiRoute({ run: async (_ctx, { request }) => readTypes(request) }),
});
