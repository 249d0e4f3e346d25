import type { Metadata } from 'next';
import { Suspense } from 'react';
import { PolicyDetail } from '#components/policies/detail.tsx';

export const metadata: Metadata = { title: 'Access policy' };

type Props = { params: Promise<{ project: string; policy: string }> };

/** `new` is the form of one that is not there yet. */
export default async function AccessPolicyPage({ params }: Props) {
  const { project, policy } = await params;
  return (
    <Suspense>
      <PolicyDetail key={policy} projectId={project} policyId={policy === 'new' ? undefined : policy} />
    </Suspense>
  );
}
