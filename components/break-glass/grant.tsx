'use client';
import dynamic from 'next/dynamic';
import Link from 'next/link';
import { type ReactNode, useEffect, useState } from 'react';
import { Moment } from '#components/access-requests/moment.tsx';
import { setBreadcrumbLeaf } from '#components/frame/breadcrumb.tsx';
import { PageHeading } from '#components/frame/page-heading.tsx';
import { Button } from '#components/ui/button.tsx';
import { Badge } from '#components/ui/display/badge.tsx';
import { Card } from '#components/ui/display/card.tsx';
import { Alert } from '#components/ui/feedback/alert.tsx';
import { ErrorState } from '#components/ui/feedback/error-state.tsx';
import { sayFailure } from '#components/ui/feedback/say-failure.ts';
import { Skeleton, SkeletonRegion } from '#components/ui/feedback/skeleton.tsx';
import { toast } from '#components/ui/feedback/toast.tsx';
import { DialogLoading } from '#components/ui/overlay/loading.tsx';
import { useGrant, useGrantAct } from '#lib/client/break-glass/grants.ts';
import type { GrantDetail } from '#lib/protocol/break-glass/answers.ts';
import { STATES, toEnd, toName } from './facts.ts';
import { GrantUses } from './grant-uses.tsx';

const CloseDialog = dynamic(() => import('./close-dialog.tsx').then((module) => module.CloseDialog), {
  ssr: false,
  loading: DialogLoading,
});

const LINK = 'break-words text-accent-text underline underline-offset-3';

/** One time that somebody broke the glass, and its review. */
export function GrantPage({ projectId, grantId }: { projectId: string; grantId: string }) {
  const grant = useGrant(projectId, grantId);
  const act = useGrantAct(projectId, grantId);
  const [closing, setClosing] = useState(false);
  const title = grant.data && `${toName(grant.data)} took emergency access`;
  useEffect(() => {
    setBreadcrumbLeaf(title);
    return () => setBreadcrumbLeaf(undefined);
  }, [title]);
  if (grant.error && !grant.data)
    return (
      <>
        <PageHeading title="Emergency access" />
        <Card>
          <ErrorState error={grant.error} what="this emergency access" onRetry={() => void grant.refetch()} />
        </Card>
      </>
    );
  if (!grant.data) return <Loading />;
  const { state, own } = grant.data;
  const end = () =>
    act.mutate(
      { act: 'end' },
      {
        onSuccess: () => {
          toast({ title: 'It has ended', description: 'Now it waits for a review.' });
          document.getElementById('main')?.focus();
        },
        onError: sayFailure,
      },
    );
  return (
    <>
      <PageHeading
        title={title ?? ''}
        actions={
          state === 'open' ? (
            <Button variant="danger" busy={act.isPending} onClick={end}>
              End now
            </Button>
          ) : state === 'waiting' && !own ? (
            <Button variant="primary" onClick={() => setClosing(true)}>
              Close the review…
            </Button>
          ) : null
        }
      />
      {state !== 'closed' && own ? (
        <Alert className="mb-4">This is your own emergency access: another administrator reviews it.</Alert>
      ) : null}
      <Facts projectId={projectId} grant={grant.data} />
      <GrantUses projectId={projectId} grant={grant.data} />
      {closing ? <CloseDialog projectId={projectId} grantId={grantId} onClose={() => setClosing(false)} /> : null}
    </>
  );
}

function Facts({ projectId, grant }: { projectId: string; grant: GrantDetail }) {
  const { state, reason, openedAt, endsAt, endedAt, membership, policy, closedBy, closedAt, note } = grant;
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
            {toName(grant)}
          </Link>
        </Fact>
        <Fact label="Why">
          {reason ? <span dir="auto">{reason}</span> : <span className="text-muted">Erased</span>}
        </Fact>
        <Fact label="Policy">
          <Link
            href={`/p/${projectId}/access-policies/${policy.reference.slice('AccessPolicy/'.length)}`}
            dir="auto"
            className={LINK}
          >
            {policy.display ?? policy.reference}
          </Link>
        </Fact>
        <Fact label="Taken">
          <Moment at={openedAt} />
        </Fact>
        <Fact label={endedAt ? 'Ended' : 'Ends'}>
          <Moment at={endedAt ?? endsAt} />
          {endedAt ? <span className="text-muted">{toEnd(grant)}</span> : null}
        </Fact>
        {closedBy && closedAt ? (
          <Fact label="Reviewed by">
            <span dir="auto">{closedBy.display ?? closedBy.reference}</span>
            <span className="text-muted">
              <Moment at={closedAt} />
            </span>
          </Fact>
        ) : null}
        {closedBy ? (
          <Fact label="Found">
            {note ? <span dir="auto">{note}</span> : <span className="text-muted">Erased</span>}
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
    <SkeletonRegion label="Loading the emergency access" className="flex flex-col gap-6">
      <Skeleton className="h-7 w-2/3 max-w-96" />
      <Card className="flex flex-col gap-5 p-5">
        {['w-1/4', 'w-1/3', 'w-1/2'].map((width) => (
          <Skeleton key={width} className={width} />
        ))}
      </Card>
    </SkeletonRegion>
  );
}
