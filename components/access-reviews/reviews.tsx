'use client';
import { ListChecks, Plus } from 'lucide-react';
import dynamic from 'next/dynamic';
import { useState } from 'react';
import { PageHeading } from '#components/frame/page-heading.tsx';
import { Button } from '#components/ui/button.tsx';
import { Card } from '#components/ui/display/card.tsx';
import { EmptyState } from '#components/ui/feedback/empty-state.tsx';
import { ErrorState } from '#components/ui/feedback/error-state.tsx';
import { Skeleton, SkeletonRegion } from '#components/ui/feedback/skeleton.tsx';
import { DialogLoading } from '#components/ui/overlay/loading.tsx';
import { usePolicies } from '#lib/client/access/policies.ts';
import { useReviews } from '#lib/client/access-reviews/reviews.ts';
import { ReviewCard } from './review-card.tsx';

const StartDialog = dynamic(() => import('./start-dialog.tsx').then((module) => module.StartDialog), {
  ssr: false,
  loading: DialogLoading,
});

/** The access reviews of a project, the newest first. */
export function Reviews({ projectId }: { projectId: string }) {
  const reviews = useReviews(projectId);
  const policies = usePolicies(projectId);
  const [starting, setStarting] = useState(false);
  const rows = reviews.data?.pages.flatMap((page) => page.rows);
  const names = new Map(policies.data?.map(({ reference, name }) => [reference, name]));
  const start = (
    <Button variant="primary" onClick={() => setStarting(true)}>
      <Plus aria-hidden="true" />
      Start a review
    </Button>
  );
  return (
    <>
      <PageHeading title="Access reviews" actions={rows && rows.length > 0 ? start : null}>
        Reviewers decide for each member whether they keep what they may do. It happens when the review is closed.
      </PageHeading>
      {reviews.error && !rows ? (
        <Card>
          <ErrorState
            error={reviews.error}
            what="the access reviews of this project"
            onRetry={() => void reviews.refetch()}
          />
        </Card>
      ) : !rows ? (
        <SkeletonRegion label="Loading access reviews" className="flex flex-col gap-3">
          {[0, 1].map((card) => (
            <Card key={card} className="flex flex-col gap-3 p-5">
              <Skeleton className="h-4 w-1/3" />
              <Skeleton className="h-8" />
            </Card>
          ))}
        </SkeletonRegion>
      ) : rows.length === 0 ? (
        <Card>
          <EmptyState icon={<ListChecks />} title="No review was started yet" action={start}>
            Start one for everybody, or for the members with one policy or of one kind. Its result is signed.
          </EmptyState>
        </Card>
      ) : (
        <ul aria-label="Access reviews" className="flex flex-col gap-3">
          {rows.map((review) => (
            <li key={review.id}>
              <ReviewCard projectId={projectId} review={review} policyNames={names} />
            </li>
          ))}
        </ul>
      )}
      {reviews.hasNextPage ? (
        <Button className="mt-4" busy={reviews.isFetchingNextPage} onClick={() => void reviews.fetchNextPage()}>
          Show earlier reviews
        </Button>
      ) : null}
      {starting ? <StartDialog projectId={projectId} onClose={() => setStarting(false)} /> : null}
    </>
  );
}
