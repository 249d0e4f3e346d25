import { env } from '#lib/base/env.ts';
import { fhirBase } from '#lib/base/fhir-base.ts';
import type { Ctx } from '#lib/domain/access/context.ts';
import type { RunningJob } from '#lib/domain/runs/bot-request.ts';
import { cancelAsyncJob } from '#lib/domain/runs/cancel-async-job.ts';
import type { JobEnd } from '#lib/domain/runs/job-output.ts';
import { readAsyncJob } from '#lib/domain/runs/read-async-job.ts';
import { startAsyncJob } from '#lib/domain/runs/start-async-job.ts';
import { accepted, allOk } from '#lib/protocol/fhir/outcome.ts';
import { apiRoute } from '../door/api-route.ts';
import { fhir, type Reply } from '../door/reply.ts';

/** Prefer: respond-async (RFC 7240 §4.1), among other preferences. */
export function prefersAsync(request: Request): boolean {
  return /(?:^|[,;\s])respond-async(?:$|[,;\s])/i.test(request.headers.get('prefer') ?? '');
}

/** 202 with the place where the job's state is told (R4 async §3.1.6.2); the work goes on after it. */
export async function startJobReply(
  ctx: Ctx,
  request: Request,
  run: (job: RunningJob) => Promise<JobEnd>,
): Promise<Reply> {
  const { pathname, search } = new URL(request.url);
  const id = await startAsyncJob(ctx, `${env().BASE_URL}${pathname}${search}`, run);
  const url = `${fhirBase()}/job/${id}/status`;
  return fhir(accepted(url), 202, { 'content-location': url });
}

/** GET job/:jobId/status: 202 while it runs, 200 with the AsyncJob once it has ended. */
export const readJobRoute = apiRoute({
  async run(ctx, { params }) {
    const job = await readAsyncJob(ctx, params.jobId!);
    return fhir(job, job.transactionTime ? 200 : 202);
  },
});

/** DELETE job/:jobId/status */
export const cancelJobRoute = apiRoute({
  async run(ctx, { params }) {
    await cancelAsyncJob(ctx, params.jobId!);
    return fhir(allOk());
  },
});
