import { setTimeout as pause } from 'node:timers/promises';
import { env } from '#lib/base/env.ts';
import { jobs } from '../jobs/jobs.ts';
import { lead } from '../jobs/lead.ts';
import type { FollowMail } from './changed-mail.ts';
import { deliverMail } from './deliver-mail.ts';

/** Two a second are as many as Resend accepts by default. */
const EVERY_MS = 500;

/** Woken by NOTIFY at once, and again by each that is queued meanwhile: what it waits between two fetches holds nothing back. */
const OPTIONS = { pollingIntervalSeconds: 0.5, notifyPollingIntervalSeconds: 0.5, includeMetadata: true } as const;

type MailJob = { projectId: string; mailId: string };

/** Takes mail off the queue, in one process for all, so that they are two a second together. Resolves to what ends it here. */
export function startMailWorker(follow: FollowMail): Promise<() => Promise<void>> {
  return lead('mail', async () => {
    const boss = await jobs();
    let free = 0;
    await boss.work<MailJob, unknown, typeof OPTIONS>('mail', OPTIONS, async (batch) => {
      for (const { data, retryCount, retryLimit } of batch) {
        if (env().RESEND_API_KEY) await pause(Math.max(0, free - performance.now()));
        free = performance.now() + EVERY_MS;
        await deliverMail(data.projectId, data.mailId, retryCount >= retryLimit, follow);
      }
    });
    return () => boss.offWork('mail');
  });
}
