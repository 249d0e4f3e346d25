import type { Metadata } from 'next';
import { Suspense } from 'react';
import { Member } from '#components/member/member.tsx';

// No name in the title: it would stand in histories and tabs.
export const metadata: Metadata = { title: 'Member' };

type Props = { params: Promise<{ project: string; member: string }> };

export default async function MemberPage({ params }: Props) {
  const { project, member } = await params;
  return (
    <Suspense>
      <Member projectId={project} membershipId={member} />
    </Suspense>
  );
}
