'use client';
import { Siren } from 'lucide-react';
import Link from 'next/link';
import { parseAsStringLiteral, useQueryState } from 'nuqs';
import { PageHeading } from '#components/frame/page-heading.tsx';
import { Button } from '#components/ui/button.tsx';
import { Badge } from '#components/ui/display/badge.tsx';
import { Card } from '#components/ui/display/card.tsx';
import { Time } from '#components/ui/display/time.tsx';
import { EmptyState } from '#components/ui/feedback/empty-state.tsx';
import { ErrorState } from '#components/ui/feedback/error-state.tsx';
import { Skeleton, SkeletonRegion } from '#components/ui/feedback/skeleton.tsx';
import { FilterSelect } from '#components/ui/form/filter-select.tsx';
import { useGrants } from '#lib/client/break-glass/grants.ts';
import type { Grant } from '#lib/protocol/break-glass/answers.ts';
import { STATES, toEnd, toName } from './facts.ts';

const FILTERS = ['all', 'open', 'waiting', 'closed'] as const;
const LABELS = { all: 'All', open: 'Open now', waiting: 'To review', closed: 'Reviewed' };

/** Who broke the glass, the newest first. */
export function Grants({ projectId }: { projectId: string }) {
  const [state, setState] = useQueryState('state', parseAsStringLiteral(FILTERS).withDefault('all'));
  const grants = useGrants(projectId, state);
  const rows = grants.data?.pages.flatMap((page) => page.rows);
  return (
    <>
      <PageHeading title="Emergency access">
        Each one is reviewed by an administrator who did not have it. Who may take it, and what it gives, the{' '}
        <Link
          href={`/p/${projectId}/settings#emergency-access`}
          className="text-accent-text underline underline-offset-3"
        >
          settings
        </Link>{' '}
        say.
      </PageHeading>
      <div className="mb-3">
        <FilterSelect
          aria-label="Show"
          value={state}
          options={FILTERS.map((value) => ({ value, label: LABELS[value] }))}
          onValueChange={(value) => void setState(value)}
        />
      </div>
      {grants.error && !rows ? (
        <Card>
          <ErrorState
            error={grants.error}
            what="the emergency access of this project"
            onRetry={() => void grants.refetch()}
          />
        </Card>
      ) : !rows ? (
        <SkeletonRegion label="Loading emergency access" className="flex flex-col gap-2.5">
          {[0, 1].map((card) => (
            <Card key={card} className="flex flex-col gap-3 p-5">
              <Skeleton className="h-4 w-1/3" />
              <Skeleton className="h-4 w-1/2" />
            </Card>
          ))}
        </SkeletonRegion>
      ) : rows.length === 0 ? (
        <Card>
          <EmptyState icon={<Siren />} title={state === 'all' ? 'Nobody broke the glass' : 'None of these'}>
            {state === 'all'
              ? 'A member who takes emergency access stands here, and you are told by mail.'
              : 'No emergency access of this project is in this state.'}
          </EmptyState>
        </Card>
      ) : (
        <ul aria-label="Emergency access" className="flex flex-col gap-2.5">
          {rows.map((grant) => (
            <li key={grant.id}>
              <GrantCard projectId={projectId} grant={grant} />
            </li>
          ))}
        </ul>
      )}
      {grants.hasNextPage ? (
        <Button className="mt-4" busy={grants.isFetchingNextPage} onClick={() => void grants.fetchNextPage()}>
          Show earlier ones
        </Button>
      ) : null}
    </>
  );
}

function GrantCard({ projectId, grant }: { projectId: string; grant: Grant }) {
  const { id, state, reason, openedAt, endedAt, own, closedBy } = grant;
  return (
    <Card className="flex flex-col gap-1.5 p-5">
      <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1.5">
        <Link
          href={`/p/${projectId}/break-glass/${id}`}
          className="min-w-0 max-w-full break-words font-medium underline-offset-3 hover:underline"
        >
          <span dir="auto">{toName(grant)}</span> took emergency access
        </Link>
        <Badge tone={STATES[state].tone} dot>
          {STATES[state].label}
        </Badge>
        {own ? <Badge>You</Badge> : null}
      </div>
      {reason ? (
        <p dir="auto" className="break-words text-[0.8125rem]">
          {reason}
        </p>
      ) : null}
      <p className="text-[0.8125rem] text-muted">
        <Time at={openedAt} />
        {endedAt ? ` · ended ${toEnd(grant)}` : ''}
        {closedBy ? ` · reviewed by ${closedBy.display ?? closedBy.reference}` : ''}
      </p>
    </Card>
  );
}
