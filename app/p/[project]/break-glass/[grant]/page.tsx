import type { Metadata } from 'next';
import { GrantPage } from '#components/break-glass/grant.tsx';

export const metadata: Metadata = { title: 'Emergency access' };

type Props = { params: Promise<{ project: string; grant: string }> };

export default async function OneGrantPage({ params }: Props) {
  const { project, grant } = await params;
  return <GrantPage projectId={project} grantId={grant} />;
}
