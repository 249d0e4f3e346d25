import { releaseAccount } from '#lib/domain/safety/lock-account.ts';
import { okReply } from '#lib/http/door/admin-reply.ts';
import { adminRoute } from '#lib/http/door/admin-route.ts';
import { methods } from '#lib/http/door/api-route.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: adminRoute({
    run: async (ctx, { params }, projectId) => {
      await releaseAccount(ctx, projectId, params.membershipId!);
      return okReply();
    },
  }),
});
