import type { Metadata } from 'next';
import { Home } from '#components/home/home.tsx';

export const metadata: Metadata = { title: 'Overview' };

type Props = { params: Promise<{ project: string }> };

export default async function OverviewPage({ params }: Props) {
  const { project } = await params;
  return <Home projectId={project} />;
}
