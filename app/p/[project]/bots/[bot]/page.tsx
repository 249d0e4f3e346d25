import type { Metadata } from 'next';
import { Suspense } from 'react';
import { BotDetail } from '#components/bots/detail.tsx';

export const metadata: Metadata = { title: 'Bot' };

type Props = { params: Promise<{ project: string; bot: string }> };

export default async function BotPage({ params }: Props) {
  const { project, bot } = await params;
  return (
    <Suspense>
      <BotDetail key={bot} projectId={project} botId={bot} />
    </Suspense>
  );
}
