import type { Metadata } from 'next';
import { VerifyEmail } from '#components/door/verify-email.tsx';

// The address of this page is a capability: nothing may keep or pass it on.
export const metadata: Metadata = { title: 'Your link', referrer: 'no-referrer', robots: { index: false } };

type Props = { params: Promise<{ id: string }> };

export default async function VerifyEmailPage({ params }: Props) {
  const { id } = await params;
  return <VerifyEmail id={id} />;
}
