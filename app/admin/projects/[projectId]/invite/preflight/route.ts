import { preflightInvites } from '#lib/domain/invites/preflight-invites.ts';
import { adminRoute } from '#lib/http/admin-route.ts';
import { methods } from '#lib/http/api-route.ts';
import { jsonBody } from '#lib/http/read-body.ts';
import { json } from '#lib/http/reply.ts';
import { BULK_BODY_LIMIT, preflightRequest } from '#lib/protocol/requests/bulk-job.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: adminRoute({
    body: jsonBody(preflightRequest, undefined, BULK_BODY_LIMIT),
    run: async (ctx, { body }, projectId) => json(await preflightInvites(ctx, projectId, body.rows)),
  }),
});
