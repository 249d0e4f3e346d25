import { patchMember } from '#lib/domain/memberships/patch-member.ts';
import { readMember } from '#lib/domain/memberships/read-member.ts';
import { removeMember } from '#lib/domain/memberships/remove-member.ts';
import { updateMember } from '#lib/domain/memberships/update-member.ts';
import { okReply, rowReply } from '#lib/http/door/admin-reply.ts';
import { adminRoute, editOptions } from '#lib/http/door/admin-route.ts';
import { methods } from '#lib/http/door/api-route.ts';
import { anyJson } from '#lib/http/door/read-body.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: adminRoute({
    run: async (ctx, { params, extended }, projectId) =>
      rowReply(await readMember(ctx, projectId, params.membershipId!), extended),
  }),
  POST: adminRoute({
    body: anyJson,
    run: async (ctx, input, projectId) => {
      const { params, body, extended } = input;
      return rowReply(await updateMember(ctx, projectId, params.membershipId!, body, editOptions(input)), extended);
    },
  }),
  PATCH: adminRoute({
    body: anyJson,
    run: async (ctx, input, projectId) => {
      const { params, body, extended } = input;
      return rowReply(await patchMember(ctx, projectId, params.membershipId!, body, editOptions(input)), extended);
    },
  }),
  DELETE: adminRoute({
    run: async (ctx, input, projectId) => {
      await removeMember(ctx, projectId, input.params.membershipId!, editOptions(input));
      return okReply();
    },
  }),
});
