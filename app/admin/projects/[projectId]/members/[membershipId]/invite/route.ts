import { readInvite } from '#lib/domain/invites/read-invite.ts';
import { adminRoute } from '#lib/http/admin-route.ts';
import { methods } from '#lib/http/api-route.ts';
import { json } from '#lib/http/reply.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: adminRoute({
    run: async (ctx, { params }, projectId) => json(await readInvite(ctx, projectId, params.membershipId!)),
  }),
});
