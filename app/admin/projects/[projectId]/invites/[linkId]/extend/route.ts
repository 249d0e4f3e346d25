import { extendInvite } from '#lib/domain/invites/extend-invite.ts';
import { adminRoute } from '#lib/http/admin-route.ts';
import { methods } from '#lib/http/api-route.ts';
import { jsonBody } from '#lib/http/read-body.ts';
import { json } from '#lib/http/reply.ts';
import { extendInviteRequest } from '#lib/protocol/requests/invites.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: adminRoute({
    body: jsonBody(extendInviteRequest),
    run: async (ctx, { params, body }, projectId) =>
      json(await extendInvite(ctx, projectId, params.linkId!, body.days)),
  }),
});
