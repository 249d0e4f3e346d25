import { listHeads } from '#lib/domain/audit-proof/list-heads.ts';
import { adminRoute } from '#lib/http/door/admin-route.ts';
import { methods } from '#lib/http/door/api-route.ts';
import { readQuery } from '#lib/http/door/read-query.ts';
import { json } from '#lib/http/door/reply.ts';
import { headsQuery } from '#lib/protocol/requests/audit.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: adminRoute({
    run: async (ctx, { url }, projectId) => json(await listHeads(ctx, projectId, readQuery(url, headsQuery)._count)),
  }),
});
