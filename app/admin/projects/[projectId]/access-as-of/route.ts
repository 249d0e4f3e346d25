import { accessAsOf } from '#lib/domain/sight/as-of/access-as-of.ts';
import { adminRoute } from '#lib/http/door/admin-route.ts';
import { methods } from '#lib/http/door/api-route.ts';
import { readQuery } from '#lib/http/door/read-query.ts';
import { json } from '#lib/http/door/reply.ts';
import { accessAsOfQuery } from '#lib/protocol/requests/audit.ts';

/** Who could read a record at an instant, and who did. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: adminRoute({
    run: async (ctx, { url }, projectId) => json(await accessAsOf(ctx, projectId, readQuery(url, accessAsOfQuery))),
  }),
});
