import { and, desc, eq, gt, lt, or } from 'drizzle-orm';
import { notFound } from '#lib/base/errors.ts';
import { isUuid } from '#lib/base/ids.ts';
import { db } from '#lib/infra/db/client.ts';
import { accessReview } from '#lib/infra/db/schema/access-review.ts';
import type { AccessReviewPage } from '#lib/protocol/access-reviews/answers.ts';
import type { AccessReviewsQuery } from '#lib/protocol/access-reviews/requests.ts';
import { formatCursor } from '#lib/protocol/cursor.ts';
import { type Ctx, requireProjectAdmin } from '../access/context.ts';
import { toReviews } from './review-rows.ts';

/** The newest first. For administrators. */
export async function listReviews(
  ctx: Ctx,
  projectId: string,
  { _count: count, cursor }: AccessReviewsQuery,
): Promise<AccessReviewPage> {
  const actor = requireProjectAdmin(ctx, projectId);
  if (!isUuid(projectId)) throw notFound();
  const { id, createdAt } = accessReview;
  const after = cursor && or(lt(createdAt, cursor.at), and(eq(createdAt, cursor.at), gt(id, cursor.id)));
  const found = await db()
    .select()
    .from(accessReview)
    .where(and(eq(accessReview.projectId, projectId), after))
    .orderBy(desc(createdAt), id)
    .limit(count + 1);
  const rows = found.slice(0, count);
  const last = found.length > count ? rows.at(-1) : undefined;
  return {
    rows: await toReviews(actor, rows),
    next: last ? formatCursor({ at: last.createdAt, id: last.id }) : null,
  };
}
