import { resetMfa } from '#lib/domain/people/reset-mfa.ts';
import { acceptedReply, okReply } from '#lib/http/door/admin-reply.ts';
import { adminRoute } from '#lib/http/door/admin-route.ts';
import { methods } from '#lib/http/door/api-route.ts';
import { jsonBody } from '#lib/http/door/read-body.ts';
import { mfaResetRequest } from '#lib/protocol/requests/member-actions.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: adminRoute({
    body: jsonBody(mfaResetRequest),
    run: async (ctx, { params, body }, projectId) => {
      const waiting = await resetMfa(ctx, projectId, params.membershipId!, body);
      return waiting ? acceptedReply(`This waits until ${waiting.dueAt.toISOString()}`) : okReply();
    },
  }),
});
