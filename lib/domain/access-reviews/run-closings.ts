import { and, asc, eq, sql } from 'drizzle-orm';
import { AppError } from '#lib/base/errors.ts';
import { log } from '#lib/base/log.ts';
import { db, type Queryable, transaction } from '#lib/infra/db/client.ts';
import { isConnectionLoss, isStarved } from '#lib/infra/db/errors.ts';
import {
  type AccessReviewRow,
  accessReview,
  accessReviewRow,
  type ReviewedRow,
} from '#lib/infra/db/schema/access-review.ts';
import { tryLease } from '#lib/infra/db/single/leases.ts';
import { dropProgress, listProgress } from '#lib/infra/db/upkeep.ts';
import type { ReviewOutcome } from '#lib/protocol/access-reviews/answers.ts';
import type { Actor, Ctx, Write } from '../access/context.ts';
import { write } from '../audit/write.ts';
import { applyRow } from './apply-row.ts';
import { isRow } from './decide.ts';
import { endReview } from './end-review.ts';
import { is } from './review-rows.ts';

const WORK = 'access-review ';

/** Under which name it is known to be unfinished (lib/infra/db/upkeep.ts). */
export function workOf({ projectId, id }: Pick<AccessReviewRow, 'projectId' | 'id'>): string {
  return `${WORK}${projectId} ${id}`;
}

/** Given by the caller: who a membership is now is known above this room. Throws 401 when it is nobody any more. */
export type ActorOf = (by: {
  actorProjectId: string;
  actorMembershipId: string;
  loginId: string | null;
  onBehalfOf: string | null;
}) => Promise<Actor>;

/**
 * Goes on with reviews that were closed, each in one process at a time: each row is applied in one transaction with the note that it was, so that
 * however often a process is killed, each is once.
 */
export async function runClosings(ctx: Ctx, actorOf: ActorOf, stopped?: AbortSignal): Promise<void> {
  for (const { name } of await listProgress(WORK)) {
    if (stopped?.aborted) return;
    const lease = await tryLease(name, 1);
    if (!lease) continue;
    try {
      await runOne(ctx, name, { actorOf, stopped });
    } catch (error) {
      log.warn({ err: error }, 'an access review waits on');
    } finally {
      lease.release();
    }
  }
}

type Running = { actorOf: ActorOf; stopped: AbortSignal | undefined };

async function runOne(ctx: Ctx, name: string, { actorOf, stopped }: Running): Promise<void> {
  const [projectId = '', id = ''] = name.slice(WORK.length).split(' ');
  const [review] = await db().select().from(accessReview).where(is(projectId, id));
  // Removed with its project.
  if (!review) return dropProgress(name);
  for (let row = await nextRow(review); row; row = await nextRow(review)) {
    if (stopped?.aborted) return;
    await apply(review, row, actorOf);
  }
  await endReview(ctx, review, name);
}

async function nextRow({ projectId, id }: AccessReviewRow): Promise<ReviewedRow | undefined> {
  const { ended, number } = accessReviewRow;
  const [row] = await db()
    .select()
    .from(accessReviewRow)
    .where(and(eq(accessReviewRow.projectId, projectId), eq(accessReviewRow.reviewId, id), eq(ended, false)))
    .orderBy(asc(number))
    .limit(1);
  return row;
}

async function apply(review: AccessReviewRow, row: ReviewedRow, actorOf: ActorOf): Promise<void> {
  const { actorProjectId, actorMembershipId, loginId, onBehalfOf, requestId, remoteAddress } = review;
  const request = { requestId: requestId ?? '', remoteAddress: remoteAddress ?? '', userAgent: '' };
  try {
    const by = {
      actorProjectId: actorProjectId ?? '',
      actorMembershipId: actorMembershipId ?? '',
      loginId,
      onBehalfOf,
    };
    const actor = await actorOf(by).catch((error: unknown) => {
      throw error instanceof AppError ? new AppError('forbidden', 'Who closed this may do so no longer') : error;
    });
    const run = async (w: Write, inside: Ctx) => {
      // A process that was held up for long has lost its lease.
      if (await isLeft(w.tx, review, row.number))
        await note(w.tx, review, row.number, { outcome: await applyRow(w, inside, row) });
      else w.unchanged();
    };
    await write({ ...request, actor }, run, { notes: true });
  } catch (error) {
    if (isConnectionLoss(error) || isStarved(error)) throw error;
    const known = error instanceof AppError ? error : undefined;
    if (!known || known.code === 'exception') log.error({ requestId, err: error }, 'a row of an access review failed');
    const message = known
      ? known.issues
          .map(({ text }) => text)
          .join('; ')
          .slice(0, 1000)
      : 'Internal server error';
    await transaction((tx) => note(tx, review, row.number, { outcome: 'failed', message }));
  }
}

async function isLeft(tx: Queryable, review: AccessReviewRow, number: number): Promise<boolean> {
  const rows = await tx
    .select({ ended: accessReviewRow.ended })
    .from(accessReviewRow)
    .where(isRow(review, number))
    .for('update');
  return rows[0]?.ended === false;
}

async function note(
  q: Queryable,
  review: AccessReviewRow,
  number: number,
  told: { outcome: ReviewOutcome; message?: string },
): Promise<void> {
  const noted = await q
    .update(accessReviewRow)
    .set({ ended: true, ...told })
    .where(and(isRow(review, number), eq(accessReviewRow.ended, false)))
    .returning({ number: accessReviewRow.number });
  if (noted.length === 0) return;
  const { failed, applied } = accessReview;
  const next = told.outcome === 'failed' ? { failed: sql`${failed} + 1` } : { applied: sql`${applied} + 1` };
  await q.update(accessReview).set(next).where(is(review.projectId, review.id));
}
