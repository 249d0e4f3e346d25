import { isDeepStrictEqual } from 'node:util';
import { AppError } from '#lib/base/errors.ts';
import type { ReviewedRow } from '#lib/infra/db/schema/access-review.ts';
import type { Held, ReviewOutcome } from '#lib/protocol/access-reviews/answers.ts';
import type { ProjectMembership } from '#lib/protocol/fhir/types.ts';
import type { Ctx, Write } from '../access/context.ts';
import { editMember } from '../memberships/edit-member.ts';
import { lockMember } from '../memberships/lock-member.ts';
import { removeMember } from '../memberships/remove-member.ts';
import { type Row, toResource } from '../store/row.ts';
import { heldBy } from './review-rows.ts';

/**
 * What was decided about one member, by the verb that the API has for one, with all that it refuses. What they had when it was decided they must have
 * still: what somebody else has changed since was decided later. Throws 409 for that, and what the verbs throw.
 */
export async function applyRow(w: Write, ctx: Ctx, row: ReviewedRow): Promise<ReviewOutcome> {
  const { projectId, membershipId, decision, held, wanted } = row;
  const current = await lockMember(w.tx, projectId, membershipId).catch((error: unknown) => {
    if (error instanceof AppError && (error.code === 'gone' || error.code === 'not-found')) return undefined;
    throw error;
  });
  if (!current) {
    w.unchanged();
    return 'gone';
  }
  requireSame(held ?? {}, current.current);
  if (decision === 'remove') {
    await removeMember(ctx, projectId, membershipId);
    return 'removed';
  }
  const { accessPolicy, access } = wanted ?? {};
  await editMember(ctx, projectId, membershipId, {}, (now) => {
    return { ...toResource<ProjectMembership>(now), accessPolicy, access };
  });
  return 'reduced';
}

function requireSame(held: Held, current: Row): void {
  const now = JSON.parse(JSON.stringify(heldBy(toResource<ProjectMembership>(current))));
  if (!isDeepStrictEqual(now, held))
    throw new AppError('conflict', 'The access of this member was changed after it was decided about');
}
