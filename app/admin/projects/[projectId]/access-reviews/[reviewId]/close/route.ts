import { closeReview } from '#lib/domain/access-reviews/close-review.ts';
import { readReview } from '#lib/domain/access-reviews/review-rows.ts';
import { adminRoute } from '#lib/http/door/admin-route.ts';
import { methods } from '#lib/http/door/api-route.ts';
import { jsonBody } from '#lib/http/door/read-body.ts';
import { json } from '#lib/http/door/reply.ts';
import { closeReviewRequest } from '#lib/protocol/access-reviews/requests.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: adminRoute({
    body: jsonBody(closeReviewRequest),
    run: async (ctx, { params, body }, projectId) => {
      await closeReview(ctx, projectId, params.reviewId!, body);
      return json(await readReview(ctx, projectId, params.reviewId!), 202);
    },
  }),
});
