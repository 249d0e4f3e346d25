import { listOwnMemberships } from '#lib/domain/own-memberships/list-own-memberships.ts';
import { apiRoute, methods } from '#lib/http/door/api-route.ts';
import { json } from '#lib/http/door/reply.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: apiRoute({
    run: async (ctx) => json(await listOwnMemberships(ctx)),
  }),
});
