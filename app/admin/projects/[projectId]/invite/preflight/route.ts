import { preflightInvites } from '#lib/domain/invites/preflight-invites.ts';
import { adminRoute } from '#lib/http/door/admin-route.ts';
import { methods } from '#lib/http/door/api-route.ts';
import { jsonBody } from '#lib/http/door/read-body.ts';
import { json } from '#lib/http/door/reply.ts';
import { BULK_BODY_LIMIT, preflightRequest } from '#lib/protocol/requests/bulk-job.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: adminRoute({
    body: jsonBody(preflightRequest, undefined, BULK_BODY_LIMIT),
    run: async (ctx, { body }, projectId) => json(await preflightInvites(ctx, projectId, body.rows)),
  }),
});
