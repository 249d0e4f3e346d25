import type { Metadata } from 'next';
import { SignIn } from '#components/door/sign-in.tsx';
import { oneValue } from '#lib/client/door/one-value.ts';
import { toSafePath } from '#lib/client/door/safe-path.ts';

export const metadata: Metadata = { title: 'Sign in' };

type Props = {
  searchParams: Promise<Partial<Record<'next' | 'project' | 'email' | 'reason' | 'login' | 'code', string | string[]>>>;
};

export default async function SignInPage({ searchParams }: Props) {
  const { next, project, email, reason, ...given } = await searchParams;
  const [login, code] = [oneValue(given.login), oneValue(given.code)];
  return (
    <SignIn
      next={toSafePath(next)}
      projectId={oneValue(project)}
      email={oneValue(email)}
      notice={toNotice(oneValue(reason))}
      back={login ? { login, ...(code && { code }) } : undefined}
    />
  );
}

const NOTICES = ['signed-out', 'expired', 'password-set', 'second-step'] as const;

function toNotice(reason: string | undefined) {
  return NOTICES.find((notice) => notice === reason);
}
