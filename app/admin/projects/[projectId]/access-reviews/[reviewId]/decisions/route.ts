import { decide } from '#lib/domain/access-reviews/decide.ts';
import { adminRoute } from '#lib/http/door/admin-route.ts';
import { methods } from '#lib/http/door/api-route.ts';
import { jsonBody } from '#lib/http/door/read-body.ts';
import { json } from '#lib/http/door/reply.ts';
import { decisionsRequest } from '#lib/protocol/access-reviews/requests.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: adminRoute({
    body: jsonBody(decisionsRequest),
    run: async (ctx, { params, body }, projectId) =>
      json(await decide(ctx, projectId, params.reviewId!, body.decisions)),
  }),
});
