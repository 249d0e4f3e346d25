import { SERVER_SCOPE } from '#lib/base/ids.ts';
import { requireSuperAdmin } from '#lib/domain/access/context.ts';
import { listAudit } from '#lib/domain/audit/list-audit.ts';
import { adminRoute } from '#lib/http/door/admin-route.ts';
import { methods } from '#lib/http/door/api-route.ts';
import { readQuery } from '#lib/http/door/read-query.ts';
import { json } from '#lib/http/door/reply.ts';
import { superAuditQuery } from '#lib/protocol/requests/audit.ts';

/** What happened above projects: accounts, sign-ins that name no project, keys; or in a project, also one that was removed since. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: adminRoute({
    authorize: requireSuperAdmin,
    run: async (ctx, { url }) => {
      const { project = SERVER_SCOPE, ...query } = readQuery(url, superAuditQuery);
      return json(await listAudit(ctx, project, query));
    },
  }),
});
