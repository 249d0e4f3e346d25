import { requireActor, requireProjectAdmin } from '#lib/domain/access/context.ts';
import { setMemberPassword } from '#lib/domain/people/set-member-password.ts';
import { okReply } from '#lib/http/door/admin-reply.ts';
import { adminRoute } from '#lib/http/door/admin-route.ts';
import { methods } from '#lib/http/door/api-route.ts';
import { jsonBody } from '#lib/http/door/read-body.ts';
import { setMemberPasswordRequest } from '#lib/protocol/requests/member-actions.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: adminRoute({
    authorize: (ctx) => requireProjectAdmin(ctx, requireActor(ctx).projectId),
    body: jsonBody(setMemberPasswordRequest),
    run: async (ctx, { body }) => {
      await setMemberPassword(ctx, { ...body, scope: 'own' });
      return okReply();
    },
  }),
});
