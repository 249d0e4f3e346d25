import type { Metadata } from 'next';
import { SetPassword } from '#components/door/set-password.tsx';
import { frameSession } from '../../../page-session.ts';

// The address of this page is a capability: nothing may keep or pass it on.
export const metadata: Metadata = { title: 'Your link', referrer: 'no-referrer', robots: { index: false } };

type Props = { params: Promise<{ id: string }> };

export default async function SetPasswordPage({ params }: Props) {
  const { id } = await params;
  return <SetPassword id={id} signedInAs={(await frameSession())?.person} />;
}
