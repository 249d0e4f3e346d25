import { connectDirectory } from '#lib/domain/scim/connect-directory.ts';
import { listConnections } from '#lib/domain/scim/connections.ts';
import { adminRoute } from '#lib/http/door/admin-route.ts';
import { methods } from '#lib/http/door/api-route.ts';
import { jsonBody } from '#lib/http/door/read-body.ts';
import { json } from '#lib/http/door/reply.ts';
import { newScimConnection } from '#lib/protocol/scim/connection.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: adminRoute({
    run: async (ctx, _, projectId) => json(await listConnections(ctx, projectId)),
  }),
  POST: adminRoute({
    body: jsonBody(newScimConnection),
    run: async (ctx, { body }, projectId) => json(await connectDirectory(ctx, projectId, body), 201),
  }),
});
