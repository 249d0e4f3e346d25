'use client';
import { useQueryClient } from '@tanstack/react-query';
import { Download, X } from 'lucide-react';
import { Button } from '#components/ui/button.tsx';
import { buttonClass } from '#components/ui/button-class.ts';
import { cn } from '#components/ui/cn.ts';
import { Badge } from '#components/ui/display/badge.tsx';
import { Card } from '#components/ui/display/card.tsx';
import { pendingClass } from '#components/ui/display/pending-class.ts';
import { Time } from '#components/ui/display/time.tsx';
import { Progress } from '#components/ui/feedback/progress.tsx';
import { sayFailure } from '#components/ui/feedback/say-failure.ts';
import { whilePending } from '#lib/client/api/pending.ts';
import { keys } from '#lib/client/api/query-keys.ts';
import { useBusy } from '#lib/client/api/use-pending.ts';
import { cancelJob, isOpen, toResultPath } from '#lib/client/jobs/jobs.ts';
import type { BulkJob } from '#lib/protocol/answers/bulk-jobs.ts';
import { dismissJob } from './dismissed-jobs.ts';

const WORDS: Record<BulkJob['kind'], [running: string, done: string]> = {
  invite: ['Inviting', 'Invited'],
  deactivate: ['Deactivating', 'Deactivated'],
  reactivate: ['Reactivating', 'Reactivated'],
  remove: ['Removing', 'Removed'],
  promote: ['Promoting', 'Promoted'],
  demote: ['Demoting', 'Demoted'],
  resend: ['Sending invitations to', 'Sent invitations to'],
};

/** One bulk job: its progress while it runs, its result file afterwards. */
export function JobRow({ projectId, job }: { projectId: string; job: BulkJob }) {
  const queries = useQueryClient();
  const [running, done] = WORDS[job.kind];
  const open = isOpen(job);
  const over = job.done + job.failed;
  const n = (count: number) => count.toLocaleString('en');

  /** It may have ended by itself a moment ago. */
  async function stop() {
    await whilePending(async () => {
      await cancelJob(projectId, job.id).catch(sayFailure);
      await queries.invalidateQueries({ queryKey: keys.jobs(projectId) });
    }, job.id);
  }

  return (
    <Card
      aria-busy={useBusy(job.id)}
      className={cn('flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3', pendingClass)}
    >
      <div className="min-w-0 flex-1 basis-60">
        <p role="status" className="flex flex-wrap items-center gap-2">
          <span className="font-medium tabular-nums">
            {open ? `${running} ${n(over)} of ${n(job.total)}` : `${done} ${n(job.done)} of ${n(job.total)}`}
          </span>
          {job.failed > 0 ? <Badge tone="danger">{n(job.failed)} not done</Badge> : null}
          {job.state === 'cancelled' ? <Badge tone="warn">Stopped</Badge> : null}
          <span className="text-[0.8125rem] text-muted">
            {job.startedBy.display ?? 'Somebody'}, <Time at={job.finishedAt ?? job.createdAt} />
          </span>
        </p>
        {open ? <Progress label={running} value={over} max={job.total} className="mt-2" /> : null}
      </div>
      {open ? (
        <Button size="sm" onClick={() => void stop()}>
          Stop
        </Button>
      ) : (
        <>
          <a href={toResultPath(projectId, job.id)} download className={buttonClass({ size: 'sm' })}>
            <Download aria-hidden="true" />
            Result file
          </a>
          <Button variant="ghost" size="icon-sm" aria-label="Put away" onClick={() => dismissJob(job.id)}>
            <X aria-hidden="true" />
          </Button>
        </>
      )}
    </Card>
  );
}
