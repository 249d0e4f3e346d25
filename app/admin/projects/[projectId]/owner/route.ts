import { handOver } from '#lib/domain/projects/hand-over.ts';
import { adminRoute } from '#lib/http/door/admin-route.ts';
import { methods } from '#lib/http/door/api-route.ts';
import { jsonBody } from '#lib/http/door/read-body.ts';
import { json } from '#lib/http/door/reply.ts';
import { handOverRequest } from '#lib/protocol/requests/member-actions.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: adminRoute({
    body: jsonBody(handOverRequest),
    run: async (ctx, { body }, projectId) => json(await handOver(ctx, projectId, body)),
  }),
});
