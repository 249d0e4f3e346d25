import type { Metadata } from 'next';
import { SignOut } from '#components/consent/sign-out.tsx';

export const metadata: Metadata = { title: 'Sign out', robots: { index: false } };

/** For who comes from an app that does not show whose session it means: a link alone signs nobody out. */
export default function SignOutPage() {
  return <SignOut />;
}
