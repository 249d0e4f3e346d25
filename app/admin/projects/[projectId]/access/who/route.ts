import { whoCanRead } from '#lib/domain/sight/who-can-read.ts';
import { adminRoute } from '#lib/http/door/admin-route.ts';
import { methods } from '#lib/http/door/api-route.ts';
import { readQuery } from '#lib/http/door/read-query.ts';
import { json } from '#lib/http/door/reply.ts';
import { whoQuery } from '#lib/protocol/policies/requests.ts';

/** Who can read a record, by which rule. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: adminRoute({
    run: async (ctx, { url }, projectId) => json(await whoCanRead(ctx, projectId, readQuery(url, whoQuery))),
  }),
});
