import type { Metadata } from 'next';
import { Suspense } from 'react';
import { Requests } from '#components/access-requests/requests.tsx';

export const metadata: Metadata = { title: 'Access requests' };

type Props = { params: Promise<{ project: string }> };

export default async function RequestsPage({ params }: Props) {
  const { project } = await params;
  return (
    <Suspense>
      <Requests projectId={project} />
    </Suspense>
  );
}
