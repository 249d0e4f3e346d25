import { createClient } from '#lib/domain/memberships/create-client.ts';
import { createdReply } from '#lib/http/door/admin-reply.ts';
import { adminRoute } from '#lib/http/door/admin-route.ts';
import { methods } from '#lib/http/door/api-route.ts';
import { jsonBody } from '#lib/http/door/read-body.ts';
import { createClientRequest, toClient } from '#lib/protocol/requests/create-client.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: adminRoute({
    body: jsonBody(createClientRequest),
    run: async (ctx, { body, extended }, projectId) => {
      const { client, access } = toClient(body);
      const { row, secret } = await createClient(ctx, projectId, client, access);
      return createdReply(row, extended, { secret });
    },
  }),
});
