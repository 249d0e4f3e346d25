import { extendInvite } from '#lib/domain/invites/extend-invite.ts';
import { adminRoute } from '#lib/http/door/admin-route.ts';
import { methods } from '#lib/http/door/api-route.ts';
import { jsonBody } from '#lib/http/door/read-body.ts';
import { json } from '#lib/http/door/reply.ts';
import { extendInviteRequest } from '#lib/protocol/requests/invites.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: adminRoute({
    body: jsonBody(extendInviteRequest),
    run: async (ctx, { params, body }, projectId) =>
      json(await extendInvite(ctx, projectId, params.linkId!, body.days)),
  }),
});
