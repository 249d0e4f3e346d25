import { and, count, desc, eq, sql } from 'drizzle-orm';
import { notFound } from '#lib/base/errors.ts';
import { isUuid } from '#lib/base/ids.ts';
import { db } from '#lib/infra/db/client.ts';
import { bulkJob, bulkJobRow } from '#lib/infra/db/schema/operations.ts';
import { isAnyUuidOf } from '#lib/infra/db/text-array.ts';
import type { BulkJob, BulkJobList } from '#lib/protocol/answers/bulk-jobs.ts';
import { type Ctx, requireProjectAdmin } from '../access/context.ts';

const MOST_LISTED = 20;

export async function readBulkJob(ctx: Ctx, projectId: string, jobId: string): Promise<BulkJob> {
  requireProjectAdmin(ctx, projectId);
  const [view] = isUuid(projectId) && isUuid(jobId) ? await load(projectId, jobId) : [];
  if (!view) throw notFound();
  return view;
}

/** The newest twenty, whoever started them. */
export async function listBulkJobs(ctx: Ctx, projectId: string): Promise<BulkJobList> {
  requireProjectAdmin(ctx, projectId);
  if (!isUuid(projectId)) throw notFound();
  return { rows: await load(projectId) };
}

async function load(projectId: string, jobId?: string): Promise<BulkJob[]> {
  const jobs = await db()
    .select()
    .from(bulkJob)
    .where(and(eq(bulkJob.projectId, projectId), ...(jobId ? [eq(bulkJob.id, jobId)] : [])))
    .orderBy(desc(bulkJob.createdAt))
    .limit(MOST_LISTED);
  if (jobs.length === 0) return [];
  const ids = jobs.map(({ id }) => id);
  const ofState = (state: string) => sql<number>`(count(*) filter (where ${bulkJobRow.state} = ${state}))::int`;
  const counts = await db()
    .select({ jobId: bulkJobRow.jobId, total: count(), done: ofState('done'), failed: ofState('failed') })
    .from(bulkJobRow)
    .where(and(eq(bulkJobRow.projectId, projectId), isAnyUuidOf(bulkJobRow.jobId, ids)))
    .groupBy(bulkJobRow.jobId);
  return jobs.map((job) => {
    const { total = 0, done = 0, failed = 0 } = counts.find((row) => row.jobId === job.id) ?? {};
    return {
      id: job.id,
      kind: job.kind,
      state: job.state,
      total,
      done,
      failed,
      createdAt: job.createdAt.toISOString(),
      startedAt: job.startedAt?.toISOString() ?? null,
      finishedAt: job.finishedAt?.toISOString() ?? null,
      startedBy: { reference: job.actor, display: job.actorDisplay },
    };
  });
}
