import { endMemberKeys } from '#lib/domain/own-keys/member-keys.ts';
import { adminRoute } from '#lib/http/door/admin-route.ts';
import { methods } from '#lib/http/door/api-route.ts';
import { json } from '#lib/http/door/reply.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  DELETE: adminRoute({
    run: async (ctx, { params }, projectId) =>
      json(await endMemberKeys(ctx, projectId, params.membershipId!, params.keyId!)),
  }),
});
