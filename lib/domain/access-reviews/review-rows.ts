import { and, eq } from 'drizzle-orm';
import { AppError, notFound } from '#lib/base/errors.ts';
import { isUuid } from '#lib/base/ids.ts';
import { db, type Queryable } from '#lib/infra/db/client.ts';
import { type AccessReviewRow, accessReview } from '#lib/infra/db/schema/access-review.ts';
import { membershipKey } from '#lib/infra/db/schema/identity.ts';
import { isAnyUuidOf } from '#lib/infra/db/text-array.ts';
import type { AccessReview, Held } from '#lib/protocol/access-reviews/answers.ts';
import type { ProjectMembership } from '#lib/protocol/fhir/types.ts';
import { type Actor, type Ctx, callerOf, requireProjectAdmin } from '../access/context.ts';

/** For administrators. Throws 404. */
export async function readReview(ctx: Ctx, projectId: string, reviewId: string): Promise<AccessReview> {
  const actor = requireProjectAdmin(ctx, projectId);
  const [view] = await toReviews(actor, [await findReview(projectId, reviewId)]);
  return view!;
}

/** Throws 404 for none, and for what is no id. */
export async function findReview(projectId: string, reviewId: string, q: Queryable = db()): Promise<AccessReviewRow> {
  const [row] =
    isUuid(projectId) && isUuid(reviewId) ? await q.select().from(accessReview).where(is(projectId, reviewId)) : [];
  if (!row) throw notFound();
  return row;
}

/** Kept from others until the transaction ends: what is decided and that it is closed come one after the other. Throws 404, and 409 once it is not open. */
export async function lockOpen(tx: Queryable, projectId: string, reviewId: string): Promise<AccessReviewRow> {
  if (!isUuid(projectId) || !isUuid(reviewId)) throw notFound();
  const [row] = await tx.select().from(accessReview).where(is(projectId, reviewId)).for('update');
  if (!row) throw notFound();
  if (row.state !== 'open') throw new AppError('conflict', 'The review is over');
  return row;
}

export function is(projectId: string, reviewId: string) {
  return and(eq(accessReview.projectId, projectId), eq(accessReview.id, reviewId));
}

/** Of one project. */
export async function toReviews(actor: Actor, rows: readonly AccessReviewRow[]): Promise<AccessReview[]> {
  const [first] = rows;
  if (!first) return [];
  const ids = [...new Set(rows.flatMap(({ reviewers }) => reviewers))];
  const names = await db()
    .select({ id: membershipKey.membershipId, name: membershipKey.name })
    .from(membershipKey)
    .where(and(eq(membershipKey.projectId, first.projectId), isAnyUuidOf(membershipKey.membershipId, ids)));
  const nameOf = new Map(names.map(({ id, name }) => [id, name]));
  const { membershipId } = callerOf(actor);
  return rows.map((row) => ({
    ...{ id: row.id, name: row.name, state: row.state, scope: row.scope },
    reviewers: row.reviewers.map((membership) => ({ membership, display: nameOf.get(membership) ?? null })),
    dueAt: row.dueAt.toISOString(),
    ...{ total: row.total, decided: row.decided, applied: row.applied, failed: row.failed },
    mine: row.reviewers.includes(membershipId),
    createdAt: row.createdAt.toISOString(),
    createdBy: { reference: row.createdBy, display: row.createdByDisplay },
    closedAt: row.closedAt?.toISOString() ?? null,
    closedBy: row.closedBy === null ? null : { reference: row.closedBy, display: row.closedByDisplay },
  }));
}

/** What a membership gives, without what is not there. */
export function heldBy({ admin, accessPolicy, access }: ProjectMembership): Held {
  return { ...(admin && { admin }), ...(accessPolicy && { accessPolicy }), ...(access?.length && { access }) };
}
