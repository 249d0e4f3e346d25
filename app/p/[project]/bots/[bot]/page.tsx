import type { Metadata } from 'next';
import { cookies } from 'next/headers';
import { Suspense } from 'react';
import { BotDetail } from '#components/bots/detail.tsx';
import { toWidth, WIDTH_COOKIE } from '#lib/client/bots/editor-width.ts';

export const metadata: Metadata = { title: 'Bot' };

type Props = { params: Promise<{ project: string; bot: string }> };

export default async function BotPage({ params }: Props) {
  const { project, bot } = await params;
  const width = toWidth((await cookies()).get(WIDTH_COOKIE)?.value);
  return (
    <Suspense>
      <BotDetail key={bot} projectId={project} botId={bot} width={width} />
    </Suspense>
  );
}
