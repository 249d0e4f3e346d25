import { type JobName, jobs } from './jobs.ts';

/** Takes jobs of this name off their queue in this process, `concurrency` at a time. A job whose `run` throws is tried again. */
export async function startWorker(
  name: JobName,
  concurrency: number,
  run: (data: Record<string, string>, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const boss = await jobs();
  // Woken by NOTIFY; but one notice may stand for many jobs, so that polling goes on beside it.
  const options = { pollingIntervalSeconds: 2, notifyPollingIntervalSeconds: 2, localConcurrency: concurrency };
  await boss.work<Record<string, string>>(name, options, async (batch) => {
    for (const job of batch) await run(job.data, job.signal);
  });
}
