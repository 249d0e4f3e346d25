import type { Metadata } from 'next';
import { SignIn } from '#components/door/sign-in.tsx';
import { toSafePath } from '#lib/client/door/safe-path.ts';

export const metadata: Metadata = { title: 'Sign in' };

type Props = { searchParams: Promise<{ next?: string; project?: string; reason?: string }> };

export default async function SignInPage({ searchParams }: Props) {
  const { next, project, reason } = await searchParams;
  return <SignIn next={toSafePath(next)} projectId={project} notice={toNotice(reason)} />;
}

function toNotice(reason: string | undefined) {
  return reason === 'signed-out' || reason === 'expired' || reason === 'password-set' ? reason : undefined;
}
