import { closeGrant } from '#lib/domain/break-glass/close-grant.ts';
import { readGrant } from '#lib/domain/break-glass/read-grant.ts';
import { adminRoute } from '#lib/http/door/admin-route.ts';
import { methods } from '#lib/http/door/api-route.ts';
import { jsonBody } from '#lib/http/door/read-body.ts';
import { json } from '#lib/http/door/reply.ts';
import { closeGrantRequest } from '#lib/protocol/break-glass/requests.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: adminRoute({
    body: jsonBody(closeGrantRequest),
    run: async (ctx, { params, body }, projectId) => {
      await closeGrant(ctx, projectId, params.grantId!, body);
      return json(await readGrant(ctx, projectId, params.grantId!));
    },
  }),
});
