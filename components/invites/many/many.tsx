'use client';
import { JobsTray } from '#components/jobs/jobs-tray.tsx';
import { Button } from '#components/ui/button.tsx';
import { Alert } from '#components/ui/feedback/alert.tsx';
import { CsvDrop } from './csv-drop.tsx';
import { PreflightGrid } from './preflight-grid.tsx';
import type { InviteManyState } from './use-invite-many.ts';

export type InviteManyProps = { projectId: string; many: InviteManyState; onClose: () => void };

/** A CSV, then a look at every row before anything is sent, then one job on the server. */
export function InviteMany({ projectId, many, onClose }: InviteManyProps) {
  if (many.step === 'paste') return <CsvDrop many={many} />;
  if (many.step === 'started') {
    return (
      <div className="flex flex-1 flex-col gap-4 px-6 py-6">
        <div role="status">
          <h3 className="font-semibold text-base">The invitations are on their way</h3>
          <p className="mt-1 text-muted">
            They go out on the server: you may close this page. The result file says what became of each of these rows.
          </p>
        </div>
        <JobsTray projectId={projectId} only={many.job} />
        <div className="flex gap-2">
          <Button onClick={onClose}>Done</Button>
          <Button variant="ghost" onClick={many.reset}>
            Another list
          </Button>
        </div>
      </div>
    );
  }
  const fit = many.verdict?.rows.filter(({ action }) => action !== 'refuse').length ?? 0;
  const left = (many.verdict?.total ?? 0) - fit;
  const n = (count: number) => count.toLocaleString('en');
  return (
    <div aria-busy={many.busy || undefined} className="flex min-h-0 flex-1 flex-col">
      <div className="flex flex-1 flex-col gap-4 px-6 py-5">
        {many.problem ? <Alert tone="danger">{many.problem}</Alert> : null}
        {many.notice ? <Alert tone="info">{many.notice}</Alert> : null}
        <PreflightGrid many={many} />
      </div>
      <footer className="sticky bottom-0 flex flex-wrap items-center justify-end gap-2 border-line border-t bg-raised px-6 py-4">
        <p className="mr-auto text-[0.8125rem] text-muted">
          {many.edited.size > 0
            ? `${n(many.edited.size)} changed ${many.edited.size === 1 ? 'row is' : 'rows are'} not checked yet`
            : left > 0
              ? `${n(left)} ${left === 1 ? 'row' : 'rows'} will be left out`
              : 'Every row is fine'}
        </p>
        <Button onClick={many.back}>Back</Button>
        {many.edited.size > 0 ? (
          <Button variant="primary" busy={many.busy} onClick={() => void many.checkAgain()}>
            Check again
          </Button>
        ) : (
          <Button variant="primary" busy={many.busy} disabled={fit === 0} onClick={() => void many.start()}>
            Invite {n(fit)} {fit === 1 ? 'person' : 'people'}
          </Button>
        )}
      </footer>
    </div>
  );
}
