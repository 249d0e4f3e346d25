import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import { AppFrame } from '#components/frame/app-frame.tsx';
import { ToSignIn } from '#components/frame/to-sign-in.tsx';
import { frameSession } from '../page-session.ts';

export const metadata: Metadata = { robots: { index: false } };

/** One's own pages, in the frame of the project that is open. */
export default async function AccountLayout({ children }: { children: ReactNode }) {
  const session = await frameSession();
  if (!session) return <ToSignIn projectId="" />;
  return <AppFrame {...session}>{children}</AppFrame>;
}
