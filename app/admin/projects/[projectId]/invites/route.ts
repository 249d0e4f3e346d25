import { listInvites } from '#lib/domain/invites/list-invites.ts';
import { adminRoute } from '#lib/http/door/admin-route.ts';
import { methods } from '#lib/http/door/api-route.ts';
import { readQuery } from '#lib/http/door/read-query.ts';
import { json } from '#lib/http/door/reply.ts';
import { invitesQuery } from '#lib/protocol/requests/invites.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: adminRoute({
    run: async (ctx, { url }, projectId) => json(await listInvites(ctx, projectId, readQuery(url, invitesQuery))),
  }),
});
