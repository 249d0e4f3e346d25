import { grantRequest } from '#lib/domain/access-requests/grant-request.ts';
import { readRequest } from '#lib/domain/access-requests/request-rows.ts';
import { adminRoute } from '#lib/http/door/admin-route.ts';
import { methods } from '#lib/http/door/api-route.ts';
import { jsonBody } from '#lib/http/door/read-body.ts';
import { json } from '#lib/http/door/reply.ts';
import { grantRequest as grantBody } from '#lib/protocol/access-requests/requests.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: adminRoute({
    body: jsonBody(grantBody),
    run: async (ctx, { params, body }, projectId) => {
      await grantRequest(ctx, projectId, params.requestId!, body);
      return json(await readRequest(ctx, projectId, params.requestId!));
    },
  }),
});
