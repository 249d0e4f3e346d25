import { listInvites } from '#lib/domain/invites/list-invites.ts';
import { adminRoute } from '#lib/http/admin-route.ts';
import { methods } from '#lib/http/api-route.ts';
import { readQuery } from '#lib/http/read-query.ts';
import { json } from '#lib/http/reply.ts';
import { invitesQuery } from '#lib/protocol/requests/invites.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: adminRoute({
    run: async (ctx, { url }, projectId) => json(await listInvites(ctx, projectId, readQuery(url, invitesQuery))),
  }),
});
