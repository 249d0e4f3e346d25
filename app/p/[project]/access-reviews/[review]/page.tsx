import type { Metadata } from 'next';
import { Suspense } from 'react';
import { Review } from '#components/access-reviews/review.tsx';

export const metadata: Metadata = { title: 'Access review' };

type Props = { params: Promise<{ project: string; review: string }> };

export default async function ReviewPage({ params }: Props) {
  const { project, review } = await params;
  return (
    <Suspense>
      <Review projectId={project} reviewId={review} />
    </Suspense>
  );
}
