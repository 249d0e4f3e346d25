import { addUser } from '#lib/domain/scim/add-user.ts';
import { listUsers } from '#lib/domain/scim/list-users.ts';
import { readQuery } from '#lib/http/door/read-query.ts';
import { userBody } from '#lib/http/scim/scim-body.ts';
import { listReply, resourceReply } from '#lib/http/scim/scim-reply.ts';
import { scimMethods, scimRoute } from '#lib/http/scim/scim-route.ts';
import { listQuery } from '#lib/protocol/scim/list-query.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = scimMethods({
  GET: scimRoute({
    run: async (ctx, { url }) => {
      const query = readQuery(url, listQuery);
      const { total, users } = await listUsers(ctx, query);
      return listReply(users, total, query.startIndex, query);
    },
  }),
  POST: scimRoute({
    body: userBody,
    run: async (ctx, input) => resourceReply(await addUser(ctx, input.body), input, 201),
  }),
});
