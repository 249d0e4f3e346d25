import { and, count, eq, isNull, or, sql } from 'drizzle-orm';
import { AppError } from '#lib/base/errors.ts';
import { accessReview, accessReviewRow } from '#lib/infra/db/schema/access-review.ts';
import { keepProgress } from '#lib/infra/db/upkeep.ts';
import type { CloseReviewRequest } from '#lib/protocol/access-reviews/requests.ts';
import { type Ctx, requireProjectAdmin } from '../access/context.ts';
import { write } from '../audit/write.ts';
import { requireProof } from '../proofs/require-proof.ts';
import { is, lockOpen } from './review-rows.ts';
import { workOf } from './run-closings.ts';

/**
 * Nothing more is decided, and what was is applied in the background, with the rights of who closes it and by the rules of each single change
 * (`runClosings`). With a proof, for what takes something away. Throws 403, 404, 409 once it is over, or where some are undecided and that is not meant.
 */
export async function closeReview(
  ctx: Ctx,
  projectId: string,
  reviewId: string,
  { leaveUndecided }: CloseReviewRequest,
): Promise<void> {
  const actor = requireProjectAdmin(ctx, projectId);
  await write(ctx, async (w) => {
    const review = await lockOpen(w.tx, projectId, reviewId);
    const undecided = review.total - review.decided;
    if (undecided > 0 && !leaveUndecided)
      throw new AppError(
        'conflict',
        `${undecided} members are undecided; say leaveUndecided to leave them as they are`,
        {
          expression: 'leaveUndecided',
        },
      );
    const here = and(eq(accessReviewRow.projectId, projectId), eq(accessReviewRow.reviewId, reviewId));
    const still = or(isNull(accessReviewRow.decision), eq(accessReviewRow.decision, 'keep'));
    await w.tx
      .update(accessReviewRow)
      .set({
        ended: true,
        outcome: sql`case when ${accessReviewRow.decision} is null then 'undecided' else 'kept' end`,
      })
      .where(and(here, still));
    const [left] = await w.tx
      .select({ n: count() })
      .from(accessReviewRow)
      .where(and(here, eq(accessReviewRow.ended, false)));
    const changes = left?.n ?? 0;
    if (changes > 0) await requireProof(actor, w.tx);
    await w.tx
      .update(accessReview)
      .set({
        ...{ state: 'closing', applied: review.decided - changes, remindAt: null, closedAt: new Date() },
        ...{ closedBy: actor.profile, closedByDisplay: actor.profileDisplay ?? null },
        ...{ actorProjectId: actor.projectId, actorMembershipId: actor.membershipId, loginId: actor.loginId ?? null },
        ...{ onBehalfOf: actor.caller?.profile ?? null, requestId: ctx.requestId, remoteAddress: ctx.remoteAddress },
      })
      .where(is(projectId, reviewId));
    await keepProgress(workOf(review), {}, w.tx);
    const after = { review: reviewId, name: review.name, decided: review.decided, undecided, changes };
    w.audit({ projectId, action: 'access-review.close', target: `Project/${projectId}`, after });
  });
}
