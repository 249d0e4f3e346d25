'use client';
import { useMutation } from '@tanstack/react-query';
import Link from 'next/link';
import { DoorHeading } from '#components/door/door-heading.tsx';
import { FormProblemAlert } from '#components/door/form-problem.tsx';
import { Button } from '#components/ui/button.tsx';
import { applyApiError } from '#lib/client/api/form-errors.ts';
import { signInByLink } from '#lib/client/door/by-mail.ts';
import { toSafePath } from '#lib/client/door/safe-path.ts';
import type { SignInAttempt } from '#lib/client/door/sign-in.ts';
import { useFragment } from '#lib/client/door/use-fragment.ts';
import type { LoginResult } from '#lib/protocol/answers/login.ts';

type Props = {
  id: string;
  onSignedIn: (attempt: SignInAttempt, result: LoginResult, next: string | undefined) => Promise<void>;
};

/** A mailed sign-in link opened. Looking spends nothing, so no scanner of mails can use it up: the press does. */
export function OpenedLink({ id, onSignedIn }: Props) {
  const secret = useFragment();
  const enter = useMutation({
    mutationFn: async () => {
      const { attempt, result, next } = await signInByLink(id, secret ?? '');
      await onSignedIn(attempt, result, toSafePath(next));
    },
  });
  return (
    <>
      <DoorHeading title="Sign in by your link">
        It signs you in here, in this browser. If you have not asked for it, close this page.
      </DoorHeading>
      <FormProblemAlert problem={enter.error ? applyApiError(enter.error, [], () => undefined) : undefined} />
      <Button
        variant="primary"
        size="lg"
        className="mt-1"
        busy={enter.isPending}
        disabled={!secret}
        onClick={() => enter.mutate()}
      >
        Sign in
      </Button>
      <p className="mt-6 text-muted">
        The link is old, or was used?{' '}
        <Link href="/signin" className="font-medium text-accent-text underline-offset-3 hover:underline">
          Ask for a new one
        </Link>
      </p>
    </>
  );
}
