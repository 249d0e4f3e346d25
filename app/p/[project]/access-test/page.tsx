import type { Metadata } from 'next';
import { Suspense } from 'react';
import { AccessTest } from '#components/access-test/access-test.tsx';

export const metadata: Metadata = { title: 'Test access' };

type Props = { params: Promise<{ project: string }> };

export default async function AccessTestPage({ params }: Props) {
  const { project } = await params;
  return (
    <Suspense>
      <AccessTest projectId={project} />
    </Suspense>
  );
}
