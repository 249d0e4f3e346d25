import type { Metadata } from 'next';
import { Suspense } from 'react';
import { Runs } from '#components/runs/runs.tsx';

export const metadata: Metadata = { title: 'Runs' };

type Props = { params: Promise<{ project: string }> };

export default async function RunsPage({ params }: Props) {
  const { project } = await params;
  return (
    <Suspense>
      <Runs projectId={project} />
    </Suspense>
  );
}
