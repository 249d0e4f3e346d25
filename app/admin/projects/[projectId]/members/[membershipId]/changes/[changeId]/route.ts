import { cancelMemberChange } from '#lib/domain/people/member-changes.ts';
import { okReply } from '#lib/http/door/admin-reply.ts';
import { adminRoute } from '#lib/http/door/admin-route.ts';
import { methods } from '#lib/http/door/api-route.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  DELETE: adminRoute({
    run: async (ctx, { params }, projectId) => {
      await cancelMemberChange(ctx, projectId, params.membershipId!, params.changeId!);
      return okReply();
    },
  }),
});
