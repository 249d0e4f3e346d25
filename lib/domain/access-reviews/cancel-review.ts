import { and, eq } from 'drizzle-orm';
import { accessReview, accessReviewRow } from '#lib/infra/db/schema/access-review.ts';
import { type Ctx, requireProjectAdmin } from '../access/context.ts';
import { write } from '../audit/write.ts';
import { is, lockOpen } from './review-rows.ts';

/** Nothing of it is applied. That it was there stays told, and what was decided, in the audit log. Throws 404, and 409 once it is over. */
export async function cancelReview(ctx: Ctx, projectId: string, reviewId: string): Promise<void> {
  const actor = requireProjectAdmin(ctx, projectId);
  await write(ctx, async (w) => {
    const { name, decided } = await lockOpen(w.tx, projectId, reviewId);
    await w.tx
      .delete(accessReviewRow)
      .where(and(eq(accessReviewRow.projectId, projectId), eq(accessReviewRow.reviewId, reviewId)));
    await w.tx
      .update(accessReview)
      .set({
        ...{ state: 'cancelled', remindAt: null, closedAt: new Date() },
        ...{ closedBy: actor.profile, closedByDisplay: actor.profileDisplay ?? null },
      })
      .where(is(projectId, reviewId));
    const after = { review: reviewId, name, decided };
    w.audit({ projectId, action: 'access-review.cancel', target: `Project/${projectId}`, after });
  });
}
