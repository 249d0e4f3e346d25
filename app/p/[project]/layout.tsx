import type { Metadata } from 'next';
import { NuqsAdapter } from 'nuqs/adapters/next/app';
import type { ReactNode } from 'react';
import { AppFrame } from '#components/frame/app-frame.tsx';
import { OtherProject } from '#components/frame/other-project.tsx';
import { ToSignIn } from '#components/frame/to-sign-in.tsx';
import { frameSession } from '../../page-session.ts';

export const metadata: Metadata = { robots: { index: false } };

type Props = { params: Promise<{ project: string }>; children: ReactNode };

export default async function ProjectLayout({ params, children }: Props) {
  const { project } = await params;
  const session = await frameSession();
  if (!session) return <ToSignIn projectId={project} />;
  if (session.project.id !== project) return <OtherProject wanted={project} current={session.project} />;
  return (
    <AppFrame {...session}>
      <NuqsAdapter>{children}</NuqsAdapter>
    </AppFrame>
  );
}
