import { isDeepStrictEqual } from 'node:util';
import { and, eq } from 'drizzle-orm';
import { AppError } from '#lib/base/errors.ts';
import type { Queryable } from '#lib/infra/db/client.ts';
import {
  type AccessReviewRow,
  accessReview,
  accessReviewRow,
  type ReviewedRow,
} from '#lib/infra/db/schema/access-review.ts';
import { isAnyUuidOf } from '#lib/infra/db/text-array.ts';
import type { Decided, Held } from '#lib/protocol/access-reviews/answers.ts';
import type { Decision } from '#lib/protocol/access-reviews/requests.ts';
import type { ProjectMembership } from '#lib/protocol/fhir/types.ts';
import { type Actor, type Ctx, callerOf, requireProjectAdmin } from '../access/context.ts';
import { write } from '../audit/write.ts';
import { requireVersion } from '../memberships/lock-member.ts';
import { requirePolicies } from '../memberships/require-policies.ts';
import { findEach } from '../store/find-row.ts';
import { toResource } from '../store/row.ts';
import { heldBy, is, lockOpen } from './review-rows.ts';

/**
 * What a reviewer says of some members, in the place of what was said before: all of it, or nothing. It is applied when the review is closed. Throws 400
 * naming `decisions[n]`, 403 for who is no reviewer of it and about oneself, 404, 409 once it is over, 412 for another version of a membership.
 */
export async function decide(
  ctx: Ctx,
  projectId: string,
  reviewId: string,
  decisions: readonly Decision[],
): Promise<Decided> {
  const actor = requireProjectAdmin(ctx, projectId);
  return write(ctx, async (w) => {
    const review = await lockOpen(w.tx, projectId, reviewId);
    requireReviewer(actor, review);
    const ids = decisions.map(({ membership }) => membership.toLowerCase());
    const rows = await findRows(w.tx, review, ids);
    const memberships = await findEach(
      projectId,
      ids.map((id) => ['ProjectMembership', id] as const),
      w.tx,
    );
    let added = 0;
    for (const [at, decision] of decisions.entries()) {
      const place = `decisions[${at}]`;
      const row = rows.get(ids[at]!);
      if (!row)
        throw new AppError('invalid', 'This member is not in the review', { expression: `${place}.membership` });
      const current = memberships[at];
      // Whose it was when the review began, and whose it is: accounts are merged.
      const whose = [row.userRef, current && toResource<ProjectMembership>(current).user.reference];
      if (whose.includes(actor.user))
        throw new AppError('forbidden', 'Somebody else decides about you', { expression: `${place}.membership` });
      if (current) requireVersion(current, decision.version === undefined ? undefined : [String(decision.version)]);
      const held = current ? heldBy(toResource<ProjectMembership>(current)) : {};
      const wanted = decision.decision === 'reduce' ? reduce(held, decision, place) : null;
      if (wanted) await requireKnown(w.tx, projectId, { wanted, held }, place);
      await w.tx
        .update(accessReviewRow)
        .set({
          ...{ decision: decision.decision, held, wanted, note: decision.note ?? null },
          ...{ decidedBy: actor.membershipId, decidedByDisplay: actor.profileDisplay ?? null, decidedAt: new Date() },
        })
        .where(isRow(review, row.number));
      if (row.decision === null) added += 1;
      const after = { review: reviewId, decision: decision.decision, ...(wanted && { wanted }) };
      w.audit({ projectId, action: 'access-review.decide', target: `ProjectMembership/${row.membershipId}`, after });
    }
    await w.tx
      .update(accessReview)
      .set({ decided: review.decided + added })
      .where(is(projectId, reviewId));
    return { decided: review.decided + added };
  });
}

export function isRow({ projectId, id }: AccessReviewRow, number: number) {
  return and(
    eq(accessReviewRow.projectId, projectId),
    eq(accessReviewRow.reviewId, id),
    eq(accessReviewRow.number, number),
  );
}

/** By themselves: neither a bot that runs as them, nor who acts for them. */
function requireReviewer(actor: Actor, { projectId, reviewers }: AccessReviewRow): void {
  const isReviewer = actor.projectId === projectId && reviewers.includes(actor.membershipId);
  if (isReviewer && actor.byBot === undefined && callerOf(actor) === actor) return;
  throw new AppError('forbidden', 'Only its reviewers decide in an access review, and in their own name');
}

async function findRows(
  tx: Queryable,
  { projectId, id }: AccessReviewRow,
  ids: readonly string[],
): Promise<Map<string, ReviewedRow>> {
  const rows = await tx
    .select()
    .from(accessReviewRow)
    .where(
      and(
        eq(accessReviewRow.projectId, projectId),
        eq(accessReviewRow.reviewId, id),
        isAnyUuidOf(accessReviewRow.membershipId, ids),
      ),
    );
  return new Map(rows.map((row) => [row.membershipId, row]));
}

type Reduction = Extract<Decision, { decision: 'reduce' }>;

/** Entries are only left out. A membership without any policy reaches everything, or nothing where the project requires one: neither is a reduction. */
function reduce(held: Held, { accessPolicy, keepAccess }: Reduction, place: string): Held {
  const refuse = (text: string, field: string) => new AppError('invalid', text, { expression: `${place}.${field}` });
  const { accessPolicy: before, access = [], ...rest } = held;
  if (keepAccess?.some((at) => at >= access.length))
    throw refuse(`The member has ${access.length} entries of access`, 'keepAccess');
  const policy = accessPolicy === undefined ? before : accessPolicy === null ? undefined : { reference: accessPolicy };
  const kept = keepAccess ? access.filter((_, at) => keepAccess.includes(at)) : access;
  if (!policy && kept.length === 0)
    throw refuse('To be reduced is to keep some of what one has: leave a policy, or remove the member', 'accessPolicy');
  const wanted = { ...rest, ...(policy && { accessPolicy: policy }), ...(kept.length > 0 && { access: kept }) };
  const isSame = policy?.reference === before?.reference && isDeepStrictEqual(kept, access);
  if (isSame) throw refuse('This leaves the member what they have: decide to keep it', 'decision');
  return wanted;
}

type Less = { wanted: Held; held: Held };

async function requireKnown(tx: Queryable, projectId: string, { wanted, held }: Less, place: string): Promise<void> {
  try {
    await requirePolicies(tx, projectId, wanted, held);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const issues = error.issues.map((issue) => ({ ...issue, expression: `${place}.${issue.expression}` }));
    throw new AppError('invalid', issues[0]?.text ?? error.message, { issues });
  }
}
