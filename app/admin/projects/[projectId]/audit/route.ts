import { listAudit } from '#lib/domain/audit/list-audit.ts';
import { adminRoute } from '#lib/http/admin-route.ts';
import { methods } from '#lib/http/api-route.ts';
import { readQuery } from '#lib/http/read-query.ts';
import { json } from '#lib/http/reply.ts';
import { auditQuery } from '#lib/protocol/requests/audit.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: adminRoute({
    run: async (ctx, { url }, projectId) => json(await listAudit(ctx, projectId, readQuery(url, auditQuery))),
  }),
});
