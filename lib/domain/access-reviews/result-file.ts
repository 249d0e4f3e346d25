import { and, asc, eq, gt } from 'drizzle-orm';
import { AppError } from '#lib/base/errors.ts';
import { db } from '#lib/infra/db/client.ts';
import { accessReviewRow, type ReviewedRow } from '#lib/infra/db/schema/access-review.ts';
import type { ReviewOutcome } from '#lib/protocol/access-reviews/answers.ts';
import type { ResultLine } from '#lib/protocol/access-reviews/result.ts';
import { type Ctx, requireProjectAdmin } from '../access/context.ts';
import { findReview } from './review-rows.ts';

const PAGE = 200;

/**
 * The signed result (lib/protocol/access-reviews/result.ts), piece by piece as it is read: what twenty thousand members had is long. For administrators.
 * Throws 404, and 409 before it is closed.
 */
export async function reviewResult(ctx: Ctx, projectId: string, reviewId: string): Promise<AsyncGenerator<string>> {
  requireProjectAdmin(ctx, projectId);
  const { state, jws } = await findReview(projectId, reviewId);
  if (state !== 'closed') throw new AppError('conflict', 'There is no result: the review is not closed');
  return piecesOf(projectId, reviewId, jws);
}

async function* piecesOf(projectId: string, reviewId: string, jws: string | null): AsyncGenerator<string> {
  yield `${JSON.stringify({ jws })}\n`;
  for await (const { text } of resultPages(projectId, reviewId)) yield text;
}

/** Its lines as they are signed, some at a time. */
export async function* resultPages(
  projectId: string,
  reviewId: string,
): AsyncGenerator<{ lines: ResultLine[]; text: string }> {
  const { number } = accessReviewRow;
  for (let after = 0; ; ) {
    const rows = await db()
      .select()
      .from(accessReviewRow)
      .where(and(eq(accessReviewRow.projectId, projectId), eq(accessReviewRow.reviewId, reviewId), gt(number, after)))
      .orderBy(asc(number))
      .limit(PAGE);
    const last = rows.at(-1);
    if (!last) return;
    after = last.number;
    const lines = rows.map(toLine);
    yield { lines, text: lines.map((line) => `${JSON.stringify(line)}\n`).join('') };
  }
}

/** Without what somebody is called: that may be erased, and the signature holds. */
function toLine(row: ReviewedRow): ResultLine {
  return {
    membership: row.membershipId,
    user: row.userRef,
    profile: row.profileRef,
    decision: row.decision,
    decidedBy: row.decidedBy,
    decidedAt: row.decidedAt?.toISOString() ?? null,
    held: row.held,
    wanted: row.wanted,
    outcome: row.outcome as ReviewOutcome,
  };
}
