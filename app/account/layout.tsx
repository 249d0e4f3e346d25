import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import { AppFrame } from '#components/frame/app-frame.tsx';
import { ToSignIn } from '#components/frame/to-sign-in.tsx';
import { pageSession } from '../page-session.ts';

export const metadata: Metadata = { robots: { index: false } };

/** One's own pages, in the frame of the project that is open. */
export default async function AccountLayout({ children }: { children: ReactNode }) {
  const session = await pageSession();
  if (!session) return <ToSignIn projectId="" />;
  return (
    <AppFrame project={{ id: session.projectId, name: session.projectName }} person={session.profileName}>
      {children}
    </AppFrame>
  );
}
