import type { Metadata } from 'next';
import dynamic from 'next/dynamic';
import { NuqsAdapter } from 'nuqs/adapters/next/app';
import type { ReactNode } from 'react';
import { AppFrame } from '#components/frame/app-frame.tsx';
import { frameSession } from '../../page-session.ts';

// Few come to a project that they are not signed in to: its own pages do without.
const OtherProject = dynamic(() => import('#components/frame/other-project.tsx').then((module) => module.OtherProject));
const ToSignIn = dynamic(() => import('#components/frame/to-sign-in.tsx').then((module) => module.ToSignIn));

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
