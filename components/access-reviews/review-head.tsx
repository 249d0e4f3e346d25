'use client';
import { Download, FileCheck } from 'lucide-react';
import { useRef, useState } from 'react';
import { PageHeading } from '#components/frame/page-heading.tsx';
import { Button } from '#components/ui/button.tsx';
import { Badge } from '#components/ui/display/badge.tsx';
import { Card } from '#components/ui/display/card.tsx';
import { Time } from '#components/ui/display/time.tsx';
import { Alert } from '#components/ui/feedback/alert.tsx';
import { Progress } from '#components/ui/feedback/progress.tsx';
import { toast } from '#components/ui/feedback/toast.tsx';
import { ConfirmDialog } from '#components/ui/overlay/confirm-dialog.tsx';
import { usePolicies } from '#lib/client/access/policies.ts';
import { downloadResult, verifyFile } from '#lib/client/access-reviews/result.ts';
import { useEndReview } from '#lib/client/access-reviews/reviews.ts';
import type { AccessReview } from '#lib/protocol/access-reviews/answers.ts';
import type { ResultReport } from '#lib/protocol/access-reviews/verify-result.ts';
import { isOverdue, STATES, toWhom } from './facts.ts';

/** Of whom a review is, how far it has come, and what ends it; of one that is closed, its result. */
export function ReviewHead({ projectId, review }: { projectId: string; review: AccessReview }) {
  const { state, total, decided, applied, failed, dueAt, closedAt, reviewers } = review;
  const end = useEndReview(projectId, review.id);
  const [asking, setAsking] = useState<'close' | 'cancel'>();
  const names = new Map(usePolicies(projectId).data?.map(({ reference, name }) => [reference, name]));
  const left = total - decided;
  const actions =
    state === 'open' ? (
      <>
        <Button variant="ghost" onClick={() => setAsking('cancel')}>
          Cancel review…
        </Button>
        <Button variant="primary" onClick={() => setAsking('close')}>
          Close review…
        </Button>
      </>
    ) : null;
  return (
    <>
      <PageHeading title={review.name} actions={actions}>
        {toWhom(review.scope, names)}
      </PageHeading>
      <Card className="mb-5 flex flex-col gap-3 p-5">
        <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1.5">
          <Badge tone={STATES[state].tone} dot>
            {STATES[state].label}
          </Badge>
          {isOverdue(review) ? <Badge tone="danger">Overdue</Badge> : null}
          <span className="text-[0.8125rem] text-muted">
            {closedAt ? 'ended ' : 'due '}
            <Time at={closedAt ?? dueAt} />
          </span>
        </div>
        <p className="break-words text-[0.8125rem] text-muted">
          Decided by {reviewers.map(({ display, membership }) => display ?? membership).join(', ')}
        </p>
        {state === 'closing' ? (
          <Progress label="Applied" value={applied + failed} max={decided} />
        ) : (
          <Progress label="Decided" value={decided} max={total} />
        )}
        <p className="text-[0.8125rem] text-muted tabular-nums">
          {decided.toLocaleString('en')} of {total.toLocaleString('en')} decided
          {state === 'closed' || state === 'closing'
            ? `, ${applied.toLocaleString('en')} applied${failed > 0 ? `, ${failed.toLocaleString('en')} not done` : ''}`
            : ''}
        </p>
        {state === 'closed' ? <Result projectId={projectId} reviewId={review.id} /> : null}
      </Card>
      {asking === 'close' ? (
        <ConfirmDialog
          title="Close this review?"
          confirm="Close the review"
          danger
          onConfirm={async () => {
            await end.mutateAsync({ act: 'close', body: { leaveUndecided: left > 0 } });
          }}
          onClose={() => setAsking(undefined)}
        >
          <p>
            What was decided about <strong>{decided.toLocaleString('en')}</strong> of {total.toLocaleString('en')}{' '}
            members happens now, in your name.
            {left > 0 ? (
              <>
                {' '}
                <strong>{left === 1 ? 'One is' : `${left.toLocaleString('en')} are`} undecided</strong> and left as{' '}
                {left === 1 ? 'it is' : 'they are'}.
              </>
            ) : null}
          </p>
        </ConfirmDialog>
      ) : asking === 'cancel' ? (
        <ConfirmDialog
          title="Cancel this review?"
          confirm="Cancel the review"
          danger
          onConfirm={async () => {
            await end.mutateAsync({ act: 'cancel' });
          }}
          onClose={() => setAsking(undefined)}
        >
          <p>
            Nothing of it is applied, and <strong>what was decided is dropped</strong>. It stays told in the activity.
          </p>
        </ConfirmDialog>
      ) : null}
    </>
  );
}

/** The signed file, and whether one that was kept is as it was signed. */
function Result({ projectId, reviewId }: { projectId: string; reviewId: string }) {
  const [busy, setBusy] = useState(false);
  const [report, setReport] = useState<ResultReport>();
  const chosen = useRef<HTMLInputElement>(null);

  async function take(work: () => Promise<void>) {
    setBusy(true);
    try {
      await work();
    } catch (error) {
      toast({ title: 'This failed', description: error instanceof Error ? error.message : undefined });
    } finally {
      setBusy(false);
    }
  }

  return (
    <>
      <div className="flex flex-wrap gap-2">
        <Button size="sm" busy={busy} onClick={() => void take(() => downloadResult(projectId, reviewId))}>
          <Download aria-hidden="true" />
          Download signed result
        </Button>
        <input
          ref={chosen}
          type="file"
          accept=".ndjson,application/x-ndjson"
          aria-label="Result to verify"
          tabIndex={-1}
          className="sr-only"
          onChange={({ target }) => {
            const [file] = target.files ?? [];
            if (file) void take(async () => setReport(await verifyFile(file, reviewId)));
            target.value = '';
          }}
        />
        <Button size="sm" busy={busy} onClick={() => chosen.current?.click()}>
          <FileCheck aria-hidden="true" />
          Verify a result…
        </Button>
      </div>
      <div aria-live="polite">
        {report?.holds ? (
          <Alert tone="good" title="The result is as it was signed">
            {report.head.rows.toLocaleString('en')} members, signed{' '}
            {new Date(report.head.iat * 1000).toLocaleString('en')} by {report.head.iss}.
          </Alert>
        ) : report ? (
          <Alert tone="danger" title="The result does not hold">
            {report.text}
          </Alert>
        ) : null}
      </div>
    </>
  );
}
