'use client';
import { LockKeyhole } from 'lucide-react';
import { parseAsStringLiteral, useQueryState } from 'nuqs';
import { PageHeading } from '#components/frame/page-heading.tsx';
import { Button } from '#components/ui/button.tsx';
import { Card } from '#components/ui/display/card.tsx';
import { EmptyState } from '#components/ui/feedback/empty-state.tsx';
import { ErrorState } from '#components/ui/feedback/error-state.tsx';
import { Skeleton, SkeletonRegion } from '#components/ui/feedback/skeleton.tsx';
import { FilterSelect } from '#components/ui/form/filter-select.tsx';
import { useRequests } from '#lib/client/access-requests/requests.ts';
import { STATES } from './facts.ts';
import { RequestCard } from './request-card.tsx';

const FILTERS = ['open', 'granted', 'refused', 'withdrawn', 'lapsed', 'ended', 'all'] as const;

/** What members ask for, the newest first: what is open, unless others are chosen. */
export function Requests({ projectId }: { projectId: string }) {
  const [state, setState] = useQueryState('state', parseAsStringLiteral(FILTERS).withDefault('open'));
  const requests = useRequests(projectId, state);
  const rows = requests.data?.pages.flatMap((page) => page.rows);
  return (
    <>
      <PageHeading title="Access requests">
        Members ask for what was refused to them. What you give ends by itself.
      </PageHeading>
      <div className="mb-3">
        <FilterSelect
          aria-label="Show"
          value={state}
          options={FILTERS.map((value) => ({ value, label: value === 'all' ? 'All requests' : STATES[value].label }))}
          onValueChange={(value) => void setState(value)}
        />
      </div>
      {requests.error && !rows ? (
        <Card>
          <ErrorState
            error={requests.error}
            what="the access requests of this project"
            onRetry={() => void requests.refetch()}
          />
        </Card>
      ) : !rows ? (
        <SkeletonRegion label="Loading access requests" className="flex flex-col gap-2.5">
          {[0, 1].map((card) => (
            <Card key={card} className="flex flex-col gap-3 p-5">
              <Skeleton className="h-4 w-1/3" />
              <Skeleton className="h-4 w-1/2" />
            </Card>
          ))}
        </SkeletonRegion>
      ) : rows.length === 0 ? (
        <Card>
          <EmptyState icon={<LockKeyhole />} title={state === 'open' ? 'Nobody waits for an answer' : 'None of these'}>
            {state === 'open'
              ? 'A member who is refused something sees “Request access”, and what they ask for comes here and by mail.'
              : 'No request of this project is in this state.'}
          </EmptyState>
        </Card>
      ) : (
        <ul aria-label="Access requests" className="flex flex-col gap-2.5">
          {rows.map((request) => (
            <li key={request.id}>
              <RequestCard projectId={projectId} request={request} />
            </li>
          ))}
        </ul>
      )}
      {requests.hasNextPage ? (
        <Button className="mt-4" busy={requests.isFetchingNextPage} onClick={() => void requests.fetchNextPage()}>
          Show earlier requests
        </Button>
      ) : null}
    </>
  );
}
