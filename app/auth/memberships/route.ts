import { listOwnMemberships } from '#lib/domain/sign-in/list-own-memberships.ts';
import { apiRoute, methods } from '#lib/http/api-route.ts';
import { json } from '#lib/http/reply.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: apiRoute({
    run: async (ctx) => json(await listOwnMemberships(ctx)),
  }),
});
