'use client';
import { useEffect, useRef } from 'react';
import { Spinner } from '#components/ui/feedback/spinner.tsx';
import { readStarted, takeKept } from '#lib/client/door/external.ts';
import type { SignInAttempt } from '#lib/client/door/sign-in.ts';
import type { LoginResult } from '#lib/protocol/answers/login.ts';
import { DoorHeading } from '../door/door-heading.tsx';

type Props = {
  /** As the address has them. Without a code there is a choice to make. */
  back: { login: string; code?: string };
  onSignedIn: (attempt: SignInAttempt, result: LoginResult, next: string | undefined) => Promise<void>;
  onFailed: () => void;
};

/** A person who comes back from their identity provider: nothing to do but wait, once. */
export function CameBack({ back, onSignedIn, onFailed }: Props) {
  const begun = useRef(false);
  useEffect(() => {
    if (begun.current) return;
    begun.current = true;
    void goOn().catch(onFailed);
    async function goOn() {
      const kept = takeKept();
      // The code is of no use to who reads the address later, and less so when it is gone from there.
      window.history.replaceState(null, '', '/signin');
      if (!kept) return onFailed();
      const { login, code } = back;
      const result = code ? { login, code } : await readStarted(login);
      await onSignedIn({ pkce: kept.pkce, login }, result, kept.next);
    }
  }, [back, onSignedIn, onFailed]);
  return (
    <>
      <DoorHeading title="Signing you in" />
      <p className="flex items-center gap-2.5 text-muted" role="status">
        <Spinner /> Your identity provider has sent you back.
      </p>
    </>
  );
}
