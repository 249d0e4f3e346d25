'use client';
import { focusCard, SettingsCard } from '#components/settings/settings-card.tsx';
import { Button } from '#components/ui/button.tsx';
import { Badge } from '#components/ui/display/badge.tsx';
import { ListRow } from '#components/ui/display/list-row.tsx';
import { Time } from '#components/ui/display/time.tsx';
import { ErrorState } from '#components/ui/feedback/error-state.tsx';
import { Skeleton, SkeletonRegion } from '#components/ui/feedback/skeleton.tsx';
import { toast } from '#components/ui/feedback/toast.tsx';
import { useOwnRequests, useWithdrawRequest } from '#lib/client/access-requests/own-requests.ts';
import type { OwnAccessRequest } from '#lib/protocol/access-requests/answers.ts';
import { STATES, toWhat } from './facts.ts';
import { Moment } from './moment.tsx';
import { RequestAccess } from './request-access.tsx';

/** What one has asked for in this project, and what came of it. */
export function OwnRequestsCard() {
  const requests = useOwnRequests();
  const rows = requests.data?.pages.flatMap((page) => page.rows);
  return (
    <SettingsCard
      id="access-requests"
      title="Access that you asked for"
      description="An administrator of this project gives it to you for a time, or says why not."
      action={<RequestAccess />}
    >
      {rows ? (
        rows.length === 0 ? (
          <p className="text-muted">
            You have asked for nothing. When something is closed to you, ask for it there, or here.
          </p>
        ) : (
          <ul aria-label="Access that you asked for" className="divide-y divide-line">
            {rows.map((row) => (
              <OwnRequest key={row.id} row={row} />
            ))}
          </ul>
        )
      ) : requests.error ? (
        <ErrorState error={requests.error} what="what you asked for" onRetry={() => void requests.refetch()} />
      ) : (
        <SkeletonRegion label="Loading what you asked for" className="flex flex-col gap-3">
          <Skeleton className="w-2/3" />
        </SkeletonRegion>
      )}
      {requests.hasNextPage ? (
        <Button
          size="sm"
          className="mt-3"
          busy={requests.isFetchingNextPage}
          onClick={() => void requests.fetchNextPage()}
        >
          Show earlier requests
        </Button>
      ) : null}
    </SettingsCard>
  );
}

function OwnRequest({ row }: { row: OwnAccessRequest }) {
  const { id, state, reason, answer, createdAt, closedAt, until } = row;
  const withdraw = useWithdrawRequest();
  const press = () =>
    withdraw.mutate(id, {
      onSuccess: () => {
        toast({ title: 'The request is withdrawn' });
        focusCard('access-requests');
      },
      onError: (error) => toast({ tone: 'danger', title: 'The request stays', description: error.message }),
    });
  return (
    <ListRow about={id} className="flex flex-wrap items-start gap-x-4 gap-y-2 py-3 first:pt-0 last:pb-0">
      <div className="min-w-0 flex-1 basis-64">
        <p className="flex flex-wrap items-center gap-2">
          <span className="min-w-0 break-words font-medium first-letter:uppercase">{toWhat(row)}</span>
          <Badge tone={STATES[state].tone} dot>
            {STATES[state].label}
          </Badge>
        </p>
        <p className="mt-0.5 text-[0.8125rem] text-muted">
          Asked <Time at={createdAt} />
          {until && state === 'granted' ? (
            <>
              {' '}
              · yours until <Moment at={until} />
            </>
          ) : closedAt && state !== 'ended' ? (
            <>
              {' '}
              · {STATES[state].label.toLowerCase()} <Time at={closedAt} />
            </>
          ) : until ? (
            <>
              {' '}
              · ended <Time at={until} />
            </>
          ) : null}
        </p>
        {reason ? (
          <p dir="auto" className="mt-1 break-words text-[0.8125rem]">
            {reason}
          </p>
        ) : null}
        {answer ? (
          <p dir="auto" className="mt-1 break-words text-[0.8125rem]">
            <span className="text-muted">Answer: </span>
            {answer}
          </p>
        ) : null}
      </div>
      {state === 'open' ? (
        <Button size="sm" busy={withdraw.isPending} aria-label={`Withdraw: ${toWhat(row)}`} onClick={press}>
          Withdraw
        </Button>
      ) : null}
    </ListRow>
  );
}
