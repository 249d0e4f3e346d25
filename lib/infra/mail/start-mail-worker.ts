import { jobs } from '../jobs/jobs.ts';
import { deliverMail } from './deliver-mail.ts';

/** Takes mail off the queue in this process. Woken by NOTIFY; polls as a floor. */
export async function startMailWorker(): Promise<void> {
  const boss = await jobs();
  await boss.work<{ projectId: string; mailId: string }>('mail', { pollingIntervalSeconds: 2 }, async (batch) => {
    for (const job of batch) await deliverMail(job.data.projectId, job.data.mailId);
  });
}
