import type { Metadata } from 'next';
import { Reviews } from '#components/access-reviews/reviews.tsx';

export const metadata: Metadata = { title: 'Access reviews' };

type Props = { params: Promise<{ project: string }> };

export default async function ReviewsPage({ params }: Props) {
  const { project } = await params;
  return <Reviews projectId={project} />;
}
