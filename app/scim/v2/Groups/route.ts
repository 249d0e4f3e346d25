import { addGroup } from '#lib/domain/groups/add-group.ts';
import { listGroups } from '#lib/domain/groups/list-groups.ts';
import { readQuery } from '#lib/http/door/read-query.ts';
import { groupBody } from '#lib/http/scim/scim-body.ts';
import { listReply, resourceReply } from '#lib/http/scim/scim-reply.ts';
import { scimMethods, scimRoute } from '#lib/http/scim/scim-route.ts';
import { listQuery } from '#lib/protocol/scim/list-query.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = scimMethods({
  GET: scimRoute({
    run: async (ctx, { url }) => {
      const query = readQuery(url, listQuery);
      const { total, groups } = await listGroups(ctx, query);
      return listReply(groups, total, query.startIndex, query);
    },
  }),
  POST: scimRoute({
    body: groupBody,
    run: async (ctx, input) => resourceReply(await addGroup(ctx, input.body), input, 201),
  }),
});
