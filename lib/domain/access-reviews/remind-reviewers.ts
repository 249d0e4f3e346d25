import { and, eq, lte, sql } from 'drizzle-orm';
import { eachAlone } from '#lib/base/each-alone.ts';
import { env } from '#lib/base/env.ts';
import { db, type Queryable } from '#lib/infra/db/client.ts';
import { accessReview } from '#lib/infra/db/schema/access-review.ts';
import { projectsIn } from '#lib/infra/db/sweep.ts';
import type { Project } from '#lib/protocol/fhir/types.ts';
import type { Ctx } from '../access/context.ts';
import { write } from '../audit/write.ts';
import { findRow } from '../store/find-row.ts';
import { toResource } from '../store/row.ts';
import { is } from './review-rows.ts';
import { dayOf, tellReviewers } from './tell-reviewers.ts';

const EARLY_MS = 3 * 86_400_000;

/** Three days before it is due, and when it is; null when both have been. */
export function nextReminder(dueAt: Date, after: Date): Date | null {
  const early = new Date(dueAt.getTime() - EARLY_MS);
  if (early > after) return early;
  return dueAt > after ? dueAt : null;
}

/**
 * Mails the reviewers of what is due soon, and of what is overdue, while somebody is left to decide about: each once. Of several processes at once one
 * tells, and one that was killed leaves it to the next round.
 */
export async function remindReviewers(ctx: Ctx, stopped?: AbortSignal): Promise<void> {
  for await (const projectId of projectsIn('access_review', stopped)) {
    await eachAlone(await findDue(projectId), stopped, 'the reviewers of an access review were not reminded', (id) =>
      remind(ctx, projectId, id),
    );
  }
}

async function findDue(projectId: string): Promise<string[]> {
  const rows = await db()
    .select({ id: accessReview.id })
    .from(accessReview)
    .where(and(eq(accessReview.projectId, projectId), lte(accessReview.remindAt, sql`now()`)));
  return rows.map(({ id }) => id);
}

async function remind(ctx: Ctx, projectId: string, id: string): Promise<void> {
  await write(ctx, async (w) => {
    const [review] = await w.tx
      .select()
      .from(accessReview)
      .where(and(is(projectId, id), lte(accessReview.remindAt, sql`now()`)))
      .for('update', { skipLocked: true });
    if (!review) return w.unchanged();
    const now = new Date();
    await w.tx
      .update(accessReview)
      .set({ remindAt: nextReminder(review.dueAt, now) })
      .where(is(projectId, id));
    const left = review.total - review.decided;
    const project = left > 0 && review.state === 'open' ? await findOpen(w.tx, projectId) : undefined;
    const isOver = review.dueAt <= now;
    if (project)
      await tellReviewers(w.tx, review, 'access-review-due', {
        projectName: project.name ?? 'your project',
        name: review.name,
        when: isOver ? `was due on ${dayOf(review.dueAt)}` : `is due on ${dayOf(review.dueAt)}`,
        left: left === 1 ? 'One member is' : `${left} members are`,
        url: `${env().BASE_URL}/p/${projectId}/access-reviews/${id}`,
      });
    const after = { review: id, left, told: project !== undefined };
    w.audit({ projectId, action: 'access-review.remind', target: `Project/${projectId}`, after });
  });
}

async function findOpen(tx: Queryable, projectId: string): Promise<Project | undefined> {
  const row = await findRow(projectId, 'Project', projectId, tx);
  const project = row && !row.deleted ? toResource<Project>(row) : undefined;
  return project?.active === false ? undefined : project;
}
