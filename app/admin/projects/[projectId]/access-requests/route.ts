import { listRequests } from '#lib/domain/access-requests/list-requests.ts';
import { adminRoute } from '#lib/http/door/admin-route.ts';
import { methods } from '#lib/http/door/api-route.ts';
import { readQuery } from '#lib/http/door/read-query.ts';
import { json } from '#lib/http/door/reply.ts';
import { accessRequestsQuery } from '#lib/protocol/access-requests/requests.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: adminRoute({
    run: async (ctx, { url }, projectId) =>
      json(await listRequests(ctx, projectId, readQuery(url, accessRequestsQuery))),
  }),
});
