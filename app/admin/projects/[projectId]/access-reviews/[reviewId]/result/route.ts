import { reviewResult } from '#lib/domain/access-reviews/result-file.ts';
import { adminRoute } from '#lib/http/door/admin-route.ts';
import { methods } from '#lib/http/door/api-route.ts';
import { streamed } from '#lib/http/door/streamed.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: adminRoute({
    run: async (ctx, { params }, projectId) => ({
      status: 200,
      body: streamed(await reviewResult(ctx, projectId, params.reviewId!)),
      contentType: 'application/x-ndjson; charset=utf-8',
      headers: { 'content-disposition': `attachment; filename="access-review-${params.reviewId}.ndjson"` },
    }),
  }),
});
