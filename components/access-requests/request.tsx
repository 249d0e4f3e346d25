'use client';
import dynamic from 'next/dynamic';
import Link from 'next/link';
import { type ReactNode, useEffect, useState } from 'react';
import { setBreadcrumbLeaf } from '#components/frame/breadcrumb.tsx';
import { PageHeading } from '#components/frame/page-heading.tsx';
import { Button } from '#components/ui/button.tsx';
import { Badge } from '#components/ui/display/badge.tsx';
import { Card } from '#components/ui/display/card.tsx';
import { Time } from '#components/ui/display/time.tsx';
import { Alert } from '#components/ui/feedback/alert.tsx';
import { ErrorState } from '#components/ui/feedback/error-state.tsx';
import { Skeleton, SkeletonRegion } from '#components/ui/feedback/skeleton.tsx';
import { DialogLoading } from '#components/ui/overlay/loading.tsx';
import { useRequest } from '#lib/client/access-requests/requests.ts';
import type { AccessRequest } from '#lib/protocol/access-requests/answers.ts';
import { STATES, toName, toValues, toWhat } from './facts.ts';
import { Moment } from './moment.tsx';

const GrantSheet = dynamic(() => import('./grant-sheet.tsx').then((module) => module.GrantSheet), {
  ssr: false,
  loading: DialogLoading,
});
const RefuseDialog = dynamic(() => import('./refuse-dialog.tsx').then((module) => module.RefuseDialog), {
  ssr: false,
  loading: DialogLoading,
});

const LINK = 'break-words text-accent-text underline underline-offset-3';

/** One request, and what an administrator makes of it. */
export function Request({ projectId, requestId }: { projectId: string; requestId: string }) {
  const request = useRequest(projectId, requestId);
  const [deciding, setDeciding] = useState<'grant' | 'refuse'>();
  const title = request.data && `${toName(request.data)} asks to ${toWhat(request.data)}`;
  useEffect(() => {
    setBreadcrumbLeaf(title);
    return () => setBreadcrumbLeaf(undefined);
  }, [title]);
  if (request.error && !request.data)
    return (
      <>
        <PageHeading title="Access request" />
        <Card>
          <ErrorState error={request.error} what="this access request" onRetry={() => void request.refetch()} />
        </Card>
      </>
    );
  if (!request.data) return <Loading />;
  const { state, own, isMember } = request.data;
  const mayDecide = state === 'open' && !own;
  const props = { projectId, request: request.data, onClose: () => setDeciding(undefined) };
  return (
    <>
      <PageHeading
        title={title ?? ''}
        actions={
          mayDecide ? (
            <>
              <Button onClick={() => setDeciding('refuse')}>Refuse…</Button>
              {isMember ? (
                <Button variant="primary" onClick={() => setDeciding('grant')}>
                  Grant…
                </Button>
              ) : null}
            </>
          ) : null
        }
      />
      {state === 'open' && own ? (
        <Alert className="mb-4">This is your own request: another administrator decides about it.</Alert>
      ) : state === 'open' && !isMember ? (
        <Alert tone="warn" className="mb-4">
          Who asked is not an active member now: nothing can be given to them.
        </Alert>
      ) : null}
      <Facts projectId={projectId} request={request.data} />
      {deciding === 'grant' ? <GrantSheet {...props} /> : deciding === 'refuse' ? <RefuseDialog {...props} /> : null}
    </>
  );
}

function Facts({ projectId, request }: { projectId: string; request: AccessRequest }) {
  const { state, reason, createdAt, closedAt, membership, decision, decidedBy, answer, policy, parameter, until } =
    request;
  return (
    <Card className="px-5 py-2">
      <dl className="divide-y divide-line">
        <Fact label="State">
          <Badge tone={STATES[state].tone} dot>
            {STATES[state].label}
          </Badge>
        </Fact>
        <Fact label="Who">
          <Link href={`/p/${projectId}/members/${membership}`} dir="auto" className={LINK}>
            {toName(request)}
          </Link>
        </Fact>
        <Fact label="Why">
          {reason ? <span dir="auto">{reason}</span> : <span className="text-muted">Erased</span>}
        </Fact>
        <Fact label="Asked">
          <Time at={createdAt} />
        </Fact>
        {decision ? (
          <Fact label="Refusal">
            <Link href={`/p/${projectId}/access-test?decision=${decision}`} className={LINK}>
              What was refused, and by which rules
            </Link>
          </Fact>
        ) : null}
        {policy ? (
          <Fact label="Policy">
            <Link
              href={`/p/${projectId}/access-policies/${policy.reference.slice('AccessPolicy/'.length)}`}
              dir="auto"
              className={LINK}
            >
              {policy.display ?? policy.reference}
            </Link>
            {parameter.length > 0 ? <span className="text-muted">({toValues(parameter)})</span> : null}
          </Fact>
        ) : null}
        {until ? (
          <Fact label={state === 'ended' ? 'Ended' : 'Until'}>
            <Moment at={until} />
          </Fact>
        ) : null}
        {decidedBy ? (
          <Fact label="Decided by">
            <span dir="auto">{decidedBy.display ?? decidedBy.reference}</span>
            {closedAt ? (
              <span className="text-muted">
                <Time at={closedAt} />
              </span>
            ) : null}
          </Fact>
        ) : closedAt ? (
          <Fact label={STATES[state].label}>
            <Time at={closedAt} />
          </Fact>
        ) : null}
        {answer ? (
          <Fact label="Answer">
            <span dir="auto">{answer}</span>
          </Fact>
        ) : null}
      </dl>
    </Card>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex min-h-11 items-center gap-4 py-2">
      <dt className="w-24 shrink-0 text-muted sm:w-28">{label}</dt>
      <dd className="flex min-w-0 flex-1 flex-wrap items-center gap-x-2 gap-y-1 break-words">{children}</dd>
    </div>
  );
}

function Loading() {
  return (
    <SkeletonRegion label="Loading the request" className="flex flex-col gap-6">
      <Skeleton className="h-7 w-2/3 max-w-96" />
      <Card className="flex flex-col gap-5 p-5">
        {['w-1/4', 'w-1/3', 'w-1/2'].map((width) => (
          <Skeleton key={width} className={width} />
        ))}
      </Card>
    </SkeletonRegion>
  );
}
