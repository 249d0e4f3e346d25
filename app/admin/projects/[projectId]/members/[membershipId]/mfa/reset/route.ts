import { resetMfa } from '#lib/domain/people/reset-mfa.ts';
import { adminRoute } from '#lib/http/door/admin-route.ts';
import { methods } from '#lib/http/door/api-route.ts';
import { jsonBody } from '#lib/http/door/read-body.ts';
import { mfaResetRequest } from '#lib/protocol/requests/member-actions.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: adminRoute({
    body: jsonBody(mfaResetRequest),
    run: (ctx, { params, body }, projectId) => resetMfa(ctx, projectId, params.membershipId!, body.method),
  }),
});
