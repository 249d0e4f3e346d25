import { readOwnPermissions } from '#lib/domain/sight/read-permissions.ts';
import { apiRoute, methods } from '#lib/http/door/api-route.ts';
import { json } from '#lib/http/door/reply.ts';

/** What one may do oneself, in words. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: apiRoute({
    run: async (ctx) => json(await readOwnPermissions(ctx)),
  }),
});
