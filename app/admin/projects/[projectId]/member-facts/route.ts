import { listMemberFacts } from '#lib/domain/people/list-member-facts.ts';
import { adminRoute } from '#lib/http/admin-route.ts';
import { methods } from '#lib/http/api-route.ts';
import { readQuery } from '#lib/http/read-query.ts';
import { json } from '#lib/http/reply.ts';
import { memberFactsQuery } from '#lib/protocol/requests/member-facts.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: adminRoute({
    run: async (ctx, { url }, projectId) =>
      json(await listMemberFacts(ctx, projectId, readQuery(url, memberFactsQuery))),
  }),
});
