import { jobs } from '../jobs/jobs.ts';
import { deliverMail } from './deliver-mail.ts';

/** Woken by NOTIFY at once; of many that are queued together it takes two a second, which is as many as Resend accepts by default. */
const POLLING = { pollingIntervalSeconds: 0.5, notifyPollingIntervalSeconds: 0.5 };

/** Takes mail off the queue in this process. */
export async function startMailWorker(): Promise<void> {
  const boss = await jobs();
  await boss.work<{ projectId: string; mailId: string }>('mail', POLLING, async (batch) => {
    for (const job of batch) await deliverMail(job.data.projectId, job.data.mailId);
  });
}
