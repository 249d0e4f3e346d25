import { disconnectDirectory, editConnection } from '#lib/domain/scim/change-connection.ts';
import { okReply } from '#lib/http/door/admin-reply.ts';
import { adminRoute } from '#lib/http/door/admin-route.ts';
import { methods } from '#lib/http/door/api-route.ts';
import { jsonBody } from '#lib/http/door/read-body.ts';
import { scimConnectionEdit } from '#lib/protocol/scim/connection.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  PATCH: adminRoute({
    body: jsonBody(scimConnectionEdit),
    run: async (ctx, { params, body }, projectId) => {
      await editConnection(ctx, projectId, params.connectionId!, body);
      return okReply();
    },
  }),
  DELETE: adminRoute({
    run: async (ctx, { params }, projectId) => {
      await disconnectDirectory(ctx, projectId, params.connectionId!);
      return okReply();
    },
  }),
});
