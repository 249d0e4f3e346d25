import type { Metadata } from 'next';
import { Suspense } from 'react';
import { AccessAsOf } from '#components/activity/access/access-as-of.tsx';

export const metadata: Metadata = { title: 'Who can see a record' };

type Props = { params: Promise<{ project: string }> };

export default async function AccessPage({ params }: Props) {
  const { project } = await params;
  return (
    <Suspense>
      <AccessAsOf projectId={project} />
    </Suspense>
  );
}
