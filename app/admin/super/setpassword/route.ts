import { requireSuperAdmin } from '#lib/domain/access/context.ts';
import { setMemberPassword } from '#lib/domain/people/set-member-password.ts';
import { okReply } from '#lib/http/door/admin-reply.ts';
import { adminRoute } from '#lib/http/door/admin-route.ts';
import { methods } from '#lib/http/door/api-route.ts';
import { jsonBody } from '#lib/http/door/read-body.ts';
import { superSetPasswordRequest } from '#lib/protocol/requests/member-actions.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: adminRoute({
    authorize: requireSuperAdmin,
    body: jsonBody(superSetPasswordRequest),
    run: async (ctx, { body: { projectId, ...input } }) => {
      await setMemberPassword(ctx, { ...input, scope: projectId ? { projectId } : 'server' });
      return okReply();
    },
  }),
});
