import type { Metadata } from 'next';
import { SignIn } from '#components/door/sign-in.tsx';

// The address of this page is a capability: nothing may keep or pass it on.
export const metadata: Metadata = { title: 'Sign in by link', referrer: 'no-referrer', robots: { index: false } };

type Props = { params: Promise<{ id: string }> };

export default async function SignInLinkPage({ params }: Props) {
  const { id } = await params;
  return <SignIn link={id} />;
}
