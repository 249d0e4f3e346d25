import type { Metadata } from 'next';
import { Suspense } from 'react';
import { Grants } from '#components/break-glass/grants.tsx';

export const metadata: Metadata = { title: 'Emergency access' };

type Props = { params: Promise<{ project: string }> };

export default async function GrantsPage({ params }: Props) {
  const { project } = await params;
  return (
    <Suspense>
      <Grants projectId={project} />
    </Suspense>
  );
}
