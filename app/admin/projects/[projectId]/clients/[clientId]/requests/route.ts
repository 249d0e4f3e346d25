import { listClientRequests } from '#lib/domain/client-requests/list-client-requests.ts';
import { adminRoute } from '#lib/http/door/admin-route.ts';
import { methods } from '#lib/http/door/api-route.ts';
import { readQuery } from '#lib/http/door/read-query.ts';
import { json } from '#lib/http/door/reply.ts';
import { clientRequestsQuery } from '#lib/protocol/clients/requests-query.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: adminRoute({
    run: async (ctx, { params, url }, projectId) =>
      json(await listClientRequests(ctx, projectId, params.clientId!, readQuery(url, clientRequestsQuery))),
  }),
});
