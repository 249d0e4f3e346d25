import type { Metadata } from 'next';
import { Suspense } from 'react';
import { Invites } from '#components/invites/list/invites.tsx';

export const metadata: Metadata = { title: 'Invites' };

type Props = { params: Promise<{ project: string }> };

export default async function InvitesPage({ params }: Props) {
  const { project } = await params;
  return (
    <Suspense>
      <Invites projectId={project} />
    </Suspense>
  );
}
