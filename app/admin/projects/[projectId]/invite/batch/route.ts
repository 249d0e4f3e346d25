import { inviteBatch } from '#lib/domain/invites/invite-batch.ts';
import { adminRoute } from '#lib/http/door/admin-route.ts';
import { methods } from '#lib/http/door/api-route.ts';
import { onceClaimed } from '#lib/http/door/idempotency.ts';
import { jsonBody } from '#lib/http/door/read-body.ts';
import { readQuery } from '#lib/http/door/read-query.ts';
import { json } from '#lib/http/door/reply.ts';
import { batchQuery, batchRequest } from '#lib/protocol/requests/bulk-job.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: adminRoute({
    body: jsonBody(batchRequest),
    run: (ctx, { request, url, body }, projectId) => {
      const { dryRun } = readQuery(url, batchQuery);
      return onceClaimed(ctx, request, body, async () => json(await inviteBatch(ctx, projectId, body, dryRun)));
    },
  }),
});
