import { readPermissions } from '#lib/domain/sight/read-permissions.ts';
import { adminRoute } from '#lib/http/door/admin-route.ts';
import { methods } from '#lib/http/door/api-route.ts';
import { json } from '#lib/http/door/reply.ts';

/** What a member may do: types, interactions, and the rules in words. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: adminRoute({
    run: async (ctx, { params }, projectId) => json(await readPermissions(ctx, projectId, params.membershipId!)),
  }),
});
