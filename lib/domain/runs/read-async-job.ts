import { and, eq } from 'drizzle-orm';
import { notFound } from '#lib/base/errors.ts';
import { isUuid } from '#lib/base/ids.ts';
import { db } from '#lib/infra/db/client.ts';
import { asyncJob } from '#lib/infra/db/schema/async-job.ts';
import type { AsyncJob, Resource } from '#lib/protocol/fhir/types.ts';
import { type Ctx, requireActor } from '../access/context.ts';
import { isUnlimited } from '../access/policy.ts';

/**
 * How a job stands, for who asked for it and for administrators of the project; to others there is none: 404. What was asked and answered is told to
 * who asked, or acts for them with all of the project: other administrators have the run, masked, and reveal it.
 */
export async function readAsyncJob(ctx: Ctx, jobId: string): Promise<AsyncJob> {
  const actor = requireActor(ctx);
  if (!isUuid(jobId)) throw notFound();
  const here = and(eq(asyncJob.projectId, actor.projectId), eq(asyncJob.id, jobId));
  const [row] = await db().select().from(asyncJob).where(here);
  const isOwn = row?.membershipId === actor.membershipId && (!actor.caller || isUnlimited(actor.caller.policy));
  if (!row || !(isOwn || actor.admin)) throw notFound();
  return toAsyncJob(isOwn ? row : { ...row, request: row.request.split('?', 1)[0]!, output: null });
}

type AsyncJobRow = typeof asyncJob.$inferSelect;

function toAsyncJob({ id, status, request, requestedAt, aliveAt, finishedAt, output }: AsyncJobRow): AsyncJob {
  return {
    resourceType: 'AsyncJob',
    id,
    meta: { lastUpdated: (finishedAt ?? aliveAt).toISOString() },
    status,
    request,
    requestTime: requestedAt.toISOString(),
    ...(finishedAt ? { transactionTime: finishedAt.toISOString() } : {}),
    ...(output ? { output: JSON.parse(output) as Resource } : {}),
  };
}
