import { listMemberFacts } from '#lib/domain/people/list-member-facts.ts';
import { adminRoute } from '#lib/http/door/admin-route.ts';
import { methods } from '#lib/http/door/api-route.ts';
import { readQuery } from '#lib/http/door/read-query.ts';
import { json } from '#lib/http/door/reply.ts';
import { memberFactsQuery } from '#lib/protocol/requests/member-facts.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: adminRoute({
    run: async (ctx, { url }, projectId) =>
      json(await listMemberFacts(ctx, projectId, readQuery(url, memberFactsQuery))),
  }),
});
