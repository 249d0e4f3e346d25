import { listReviewRows } from '#lib/domain/access-reviews/list-review-rows.ts';
import { adminRoute } from '#lib/http/door/admin-route.ts';
import { methods } from '#lib/http/door/api-route.ts';
import { readQuery } from '#lib/http/door/read-query.ts';
import { json } from '#lib/http/door/reply.ts';
import { reviewRowsQuery } from '#lib/protocol/access-reviews/requests.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: adminRoute({
    run: async (ctx, { params, url }, projectId) =>
      json(await listReviewRows(ctx, projectId, params.reviewId!, readQuery(url, reviewRowsQuery))),
  }),
});
