import { listReply, scimBase } from '#lib/http/scim/scim-reply.ts';
import { scimMethods, scimRoute } from '#lib/http/scim/scim-route.ts';
import { schemas } from '#lib/protocol/scim/discovery.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = scimMethods({
  GET: scimRoute({
    run: () => {
      const all = schemas(scimBase());
      return listReply(all, all.length, 1);
    },
  }),
});
