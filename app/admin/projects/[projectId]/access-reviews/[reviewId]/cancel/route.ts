import { cancelReview } from '#lib/domain/access-reviews/cancel-review.ts';
import { readReview } from '#lib/domain/access-reviews/review-rows.ts';
import { adminRoute } from '#lib/http/door/admin-route.ts';
import { methods } from '#lib/http/door/api-route.ts';
import { json } from '#lib/http/door/reply.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: adminRoute({
    run: async (ctx, { params }, projectId) => {
      await cancelReview(ctx, projectId, params.reviewId!);
      return json(await readReview(ctx, projectId, params.reviewId!));
    },
  }),
});
