import { askAccess } from '#lib/domain/access-requests/ask-access.ts';
import { listOwnRequests } from '#lib/domain/access-requests/list-requests.ts';
import { apiRoute, methods } from '#lib/http/door/api-route.ts';
import { jsonBody } from '#lib/http/door/read-body.ts';
import { readQuery } from '#lib/http/door/read-query.ts';
import { json } from '#lib/http/door/reply.ts';
import { accessRequestRequest, ownRequestsQuery } from '#lib/protocol/access-requests/requests.ts';

/** What one asks for oneself. 200 for what is asked for already. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: apiRoute({
    run: async (ctx, { url }) => json(await listOwnRequests(ctx, readQuery(url, ownRequestsQuery))),
  }),
  POST: apiRoute({
    body: jsonBody(accessRequestRequest),
    run: async (ctx, { body }) => {
      const { request, isNew } = await askAccess(ctx, body);
      return json(request, isNew ? 201 : 200);
    },
  }),
});
