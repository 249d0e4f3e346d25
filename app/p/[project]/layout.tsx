import type { Metadata } from 'next';
import { NuqsAdapter } from 'nuqs/adapters/next/app';
import type { ReactNode } from 'react';
import { AppFrame } from '#components/frame/app-frame.tsx';
import { OtherProject } from '#components/frame/other-project.tsx';
import { ToSignIn } from '#components/frame/to-sign-in.tsx';
import { pageSession } from '../../page-session.ts';

export const metadata: Metadata = { robots: { index: false } };

type Props = { params: Promise<{ project: string }>; children: ReactNode };

export default async function ProjectLayout({ params, children }: Props) {
  const { project } = await params;
  const session = await pageSession();
  if (!session) return <ToSignIn projectId={project} />;
  if (session.projectId !== project)
    return <OtherProject wanted={project} current={{ id: session.projectId, name: session.projectName }} />;
  return (
    <AppFrame project={{ id: session.projectId, name: session.projectName }} person={session.profileName}>
      <NuqsAdapter>{children}</NuqsAdapter>
    </AppFrame>
  );
}
