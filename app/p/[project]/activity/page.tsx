import type { Metadata } from 'next';
import { Suspense } from 'react';
import { Activity } from '#components/activity/activity.tsx';

export const metadata: Metadata = { title: 'Activity' };

type Props = { params: Promise<{ project: string }> };

export default async function ActivityPage({ params }: Props) {
  const { project } = await params;
  return (
    <Suspense>
      <Activity projectId={project} />
    </Suspense>
  );
}
