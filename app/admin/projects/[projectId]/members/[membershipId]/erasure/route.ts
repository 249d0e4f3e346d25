import { requestMemberErasure } from '#lib/domain/people/request-erasure.ts';
import { adminRoute } from '#lib/http/door/admin-route.ts';
import { methods } from '#lib/http/door/api-route.ts';
import { jsonBody } from '#lib/http/door/read-body.ts';
import { json } from '#lib/http/door/reply.ts';
import { erasureRequest } from '#lib/protocol/own-account/requests.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: adminRoute({
    body: jsonBody(erasureRequest),
    run: async (ctx, { params, body }, projectId) =>
      json(await requestMemberErasure(ctx, projectId, params.membershipId!, body), 202),
  }),
});
