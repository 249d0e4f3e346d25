import { repairProfile } from '#lib/domain/memberships/repair-profile.ts';
import { rowReply } from '#lib/http/door/admin-reply.ts';
import { adminRoute } from '#lib/http/door/admin-route.ts';
import { methods } from '#lib/http/door/api-route.ts';
import { jsonBody } from '#lib/http/door/read-body.ts';
import { repairRequest } from '#lib/protocol/requests/member-actions.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: adminRoute({
    body: jsonBody(repairRequest),
    run: async (ctx, { params, body, extended }, projectId) =>
      rowReply(await repairProfile(ctx, projectId, params.membershipId!, body), extended),
  }),
});
