import { jobs } from '../jobs/jobs.ts';
import type { FollowMail } from './changed-mail.ts';
import { deliverMail } from './deliver-mail.ts';

/** Woken by NOTIFY at once; of many that are queued together it takes two a second, which is as many as Resend accepts by default. */
const OPTIONS = { pollingIntervalSeconds: 0.5, notifyPollingIntervalSeconds: 0.5, includeMetadata: true } as const;

type MailJob = { projectId: string; mailId: string };

/** Takes mail off the queue in this process. */
export async function startMailWorker(follow: FollowMail): Promise<void> {
  const boss = await jobs();
  await boss.work<MailJob, unknown, typeof OPTIONS>('mail', OPTIONS, async (batch) => {
    for (const { data, retryCount, retryLimit } of batch)
      await deliverMail(data.projectId, data.mailId, retryCount >= retryLimit, follow);
  });
}
