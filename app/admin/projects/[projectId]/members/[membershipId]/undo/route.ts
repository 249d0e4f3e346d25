import { undoMember } from '#lib/domain/memberships/undo-member.ts';
import { rowReply } from '#lib/http/door/admin-reply.ts';
import { adminRoute, editOptions } from '#lib/http/door/admin-route.ts';
import { methods } from '#lib/http/door/api-route.ts';
import { jsonBody } from '#lib/http/door/read-body.ts';
import { undoMemberRequest } from '#lib/protocol/requests/undo-member.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: adminRoute({
    body: jsonBody(undoMemberRequest),
    run: async (ctx, input, projectId) => {
      const { params, body, extended } = input;
      const row = await undoMember(ctx, projectId, params.membershipId!, body.version, editOptions(input));
      return rowReply(row, extended);
    },
  }),
});
