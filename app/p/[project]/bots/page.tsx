import type { Metadata } from 'next';
import { Bots } from '#components/bots/list/bots.tsx';

export const metadata: Metadata = { title: 'Bots' };

type Props = { params: Promise<{ project: string }> };

export default async function BotsPage({ params }: Props) {
  const { project } = await params;
  return <Bots projectId={project} />;
}
