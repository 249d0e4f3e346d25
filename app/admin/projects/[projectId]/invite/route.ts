import { inviteMember } from '#lib/domain/invites/invite-member.ts';
import { inviteReply } from '#lib/http/door/admin-reply.ts';
import { adminRoute } from '#lib/http/door/admin-route.ts';
import { methods } from '#lib/http/door/api-route.ts';
import { onceInTransaction } from '#lib/http/door/idempotency.ts';
import { jsonBody } from '#lib/http/door/read-body.ts';
import { inviteRequest } from '#lib/protocol/requests/invite-member.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: adminRoute({
    body: jsonBody(inviteRequest),
    run: (ctx, { request, body, extended }, projectId) =>
      onceInTransaction(ctx, request, body, async (inside) =>
        inviteReply(await inviteMember(inside, projectId, body), extended),
      ),
  }),
});
