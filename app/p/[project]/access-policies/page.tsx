import type { Metadata } from 'next';
import { Suspense } from 'react';
import { Policies } from '#components/policies/list/policies.tsx';

export const metadata: Metadata = { title: 'Access policies' };

type Props = { params: Promise<{ project: string }> };

export default async function AccessPoliciesPage({ params }: Props) {
  const { project } = await params;
  return (
    <Suspense>
      <Policies projectId={project} />
    </Suspense>
  );
}
