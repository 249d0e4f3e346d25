import { listGrants } from '#lib/domain/break-glass/list-grants.ts';
import { adminRoute } from '#lib/http/door/admin-route.ts';
import { methods } from '#lib/http/door/api-route.ts';
import { readQuery } from '#lib/http/door/read-query.ts';
import { json } from '#lib/http/door/reply.ts';
import { grantsQuery } from '#lib/protocol/break-glass/requests.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: adminRoute({
    run: async (ctx, { url }, projectId) => json(await listGrants(ctx, projectId, readQuery(url, grantsQuery))),
  }),
});
