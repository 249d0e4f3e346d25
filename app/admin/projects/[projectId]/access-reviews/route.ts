import { listReviews } from '#lib/domain/access-reviews/list-reviews.ts';
import { startReview } from '#lib/domain/access-reviews/start-review.ts';
import { adminRoute } from '#lib/http/door/admin-route.ts';
import { methods } from '#lib/http/door/api-route.ts';
import { jsonBody } from '#lib/http/door/read-body.ts';
import { readQuery } from '#lib/http/door/read-query.ts';
import { json } from '#lib/http/door/reply.ts';
import { accessReviewRequest, accessReviewsQuery } from '#lib/protocol/access-reviews/requests.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: adminRoute({
    run: async (ctx, { url }, projectId) => json(await listReviews(ctx, projectId, readQuery(url, accessReviewsQuery))),
  }),
  POST: adminRoute({
    body: jsonBody(accessReviewRequest),
    run: async (ctx, { body }, projectId) => {
      const { id } = await startReview(ctx, projectId, body);
      return json({ id }, 201, { location: `/admin/projects/${projectId}/access-reviews/${id}` });
    },
  }),
});
