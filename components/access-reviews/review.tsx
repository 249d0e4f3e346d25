'use client';
import dynamic from 'next/dynamic';
import { parseAsStringLiteral, useQueryState } from 'nuqs';
import { useEffect, useState } from 'react';
import { setBreadcrumbLeaf } from '#components/frame/breadcrumb.tsx';
import { Button } from '#components/ui/button.tsx';
import { Card } from '#components/ui/display/card.tsx';
import { EmptyState } from '#components/ui/feedback/empty-state.tsx';
import { ErrorState } from '#components/ui/feedback/error-state.tsx';
import { Skeleton, SkeletonRegion } from '#components/ui/feedback/skeleton.tsx';
import { toast } from '#components/ui/feedback/toast.tsx';
import { FilterSelect } from '#components/ui/form/filter-select.tsx';
import { DialogLoading } from '#components/ui/overlay/loading.tsx';
import { usePolicies } from '#lib/client/access/policies.ts';
import { useDecide, useReview, useReviewRows } from '#lib/client/access-reviews/reviews.ts';
import type { AccessReview, ReviewRow } from '#lib/protocol/access-reviews/answers.ts';
import type { Decision } from '#lib/protocol/access-reviews/requests.ts';
import { MemberCard } from './member-card.tsx';
import { ReviewHead } from './review-head.tsx';

const ReduceDialog = dynamic(() => import('./reduce-dialog.tsx').then((module) => module.ReduceDialog), {
  ssr: false,
  loading: DialogLoading,
});

const FILTERS = ['all', 'open', 'keep', 'reduce', 'remove'] as const;
const LABELS = {
  all: 'Everybody',
  open: 'Undecided',
  keep: 'Keep',
  reduce: 'Reduce',
  remove: 'Remove',
} as const;

/** One review, with its members to decide about. */
export function Review({ projectId, reviewId }: { projectId: string; reviewId: string }) {
  const review = useReview(projectId, reviewId);
  const name = review.data?.name;
  useEffect(() => {
    setBreadcrumbLeaf(name);
    return () => setBreadcrumbLeaf(undefined);
  }, [name]);
  if (review.error && !review.data)
    return (
      <Card>
        <ErrorState error={review.error} what="this access review" onRetry={() => void review.refetch()} />
      </Card>
    );
  if (!review.data) return <Loading />;
  return (
    <>
      <ReviewHead projectId={projectId} review={review.data} />
      {review.data.state === 'cancelled' ? (
        <Card>
          <EmptyState title="This review was cancelled">
            Nothing of it was applied. What was decided stands in the activity of the project.
          </EmptyState>
        </Card>
      ) : (
        <Members projectId={projectId} review={review.data} />
      )}
    </>
  );
}

function Members({ projectId, review }: { projectId: string; review: AccessReview }) {
  const [filter, setFilter] = useQueryState('decision', parseAsStringLiteral(FILTERS).withDefault('all'));
  const rows = useReviewRows(projectId, review.id, { state: review.state, filter });
  const decide = useDecide(projectId, review.id);
  const policies = usePolicies(projectId).data ?? [];
  const names = new Map(policies.map(({ reference, name }) => [reference, name]));
  const [reducing, setReducing] = useState<ReviewRow>();
  const found = rows.data?.pages.flatMap((page) => page.rows);
  const mayDecide = review.mine && review.state === 'open';

  async function say(decision: Decision) {
    try {
      await decide.mutateAsync([decision]);
    } catch (error) {
      toast({ title: 'This was not decided', description: error instanceof Error ? error.message : undefined });
    }
  }

  return (
    <>
      <div className="mb-3 flex flex-wrap items-center gap-3">
        <FilterSelect
          aria-label="Show"
          value={filter}
          options={FILTERS.map((value) => ({ value, label: LABELS[value] }))}
          onValueChange={(value) => void setFilter(value)}
        />
        {mayDecide ? null : review.state === 'open' ? (
          <p className="text-[0.8125rem] text-muted">You look on: its reviewers decide.</p>
        ) : null}
      </div>
      {rows.error && !found ? (
        <Card>
          <ErrorState error={rows.error} what="the members of this review" onRetry={() => void rows.refetch()} />
        </Card>
      ) : !found ? (
        <Loading />
      ) : found.length === 0 ? (
        <Card>
          <EmptyState title={filter === 'open' ? 'Everybody is decided about' : 'Nobody is here'}>
            {filter === 'open' ? 'Close the review to apply it.' : 'No member of this review has this decision.'}
          </EmptyState>
        </Card>
      ) : (
        <ul aria-label="Members of the review" className="flex flex-col gap-2.5">
          {found.map((row) => (
            <li key={row.membership}>
              <MemberCard
                row={row}
                policyNames={names}
                mayDecide={mayDecide}
                busy={decide.isPending && decide.variables.some(({ membership }) => membership === row.membership)}
                onDecide={say}
                onReduce={() => setReducing(row)}
              />
            </li>
          ))}
        </ul>
      )}
      {rows.hasNextPage ? (
        <Button className="mt-4" busy={rows.isFetchingNextPage} onClick={() => void rows.fetchNextPage()}>
          Show more
        </Button>
      ) : null}
      {reducing ? (
        <ReduceDialog
          row={reducing}
          policies={policies}
          onReduce={async (decision) => {
            await decide.mutateAsync([decision]);
          }}
          onClose={() => setReducing(undefined)}
        />
      ) : null}
    </>
  );
}

function Loading() {
  return (
    <SkeletonRegion label="Loading the review" className="flex flex-col gap-3">
      {[0, 1, 2].map((card) => (
        <Card key={card} className="flex flex-col gap-3 p-5">
          <Skeleton className="h-4 w-1/3" />
          <Skeleton className="h-8" />
        </Card>
      ))}
    </SkeletonRegion>
  );
}
