import { readMemberSafety } from '#lib/domain/safety/read-member-safety.ts';
import { adminRoute } from '#lib/http/door/admin-route.ts';
import { methods } from '#lib/http/door/api-route.ts';
import { readQuery } from '#lib/http/door/read-query.ts';
import { json } from '#lib/http/door/reply.ts';
import { safetyQuery } from '#lib/protocol/safety/requests.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: adminRoute({
    run: async (ctx, { url, params }, projectId) =>
      json(await readMemberSafety(ctx, projectId, params.membershipId!, readQuery(url, safetyQuery))),
  }),
});
