import type { Metadata } from 'next';
import { Suspense } from 'react';
import { Members } from '#components/members/members.tsx';

export const metadata: Metadata = { title: 'Members' };

type Props = { params: Promise<{ project: string }> };

export default async function MembersPage({ params }: Props) {
  const { project } = await params;
  return (
    <Suspense>
      <Members projectId={project} />
    </Suspense>
  );
}
