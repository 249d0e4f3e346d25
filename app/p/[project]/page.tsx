import type { Metadata } from 'next';
import { Overview } from '#components/overview/overview.tsx';

export const metadata: Metadata = { title: 'Overview' };

type Props = { params: Promise<{ project: string }> };

export default async function OverviewPage({ params }: Props) {
  const { project } = await params;
  return <Overview projectId={project} />;
}
