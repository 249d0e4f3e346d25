'use client';
import { KeyRound } from 'lucide-react';
import { useState, useSyncExternalStore } from 'react';
import { Button } from '#components/ui/button.tsx';
import { Alert } from '#components/ui/feedback/alert.tsx';
import { whilePending } from '#lib/client/api/pending.ts';
import type { SignInAttempt } from '#lib/client/door/sign-in.ts';
import { knowsPasskeys, toPasskeyProblem } from '#lib/client/passkeys/problem.ts';
import { askForPasskey, type SignedByPasskey, signInByPasskey } from '#lib/client/passkeys/sign-in.ts';
import type { LoginResult } from '#lib/protocol/answers/login.ts';
import { usePasskeyOffer } from './use-passkey-offer.ts';

export type PasskeySignInProps = {
  projectId?: string;
  onSignedIn: (attempt: SignInAttempt, result: LoginResult) => Promise<void>;
};

/** Below the form: no address is typed, since the passkey says who they are. What somebody turned away from is not spoken of. */
export function PasskeySignIn({ projectId, onSignedIn }: PasskeySignInProps) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const known = useSyncExternalStore(subscribe, knowsPasskeys, () => true);

  async function enter(show: () => Promise<SignedByPasskey>) {
    setBusy(true);
    setProblem(undefined);
    try {
      await whilePending(async () => {
        const { attempt, result } = await signInByPasskey(await show(), projectId);
        await onSignedIn(attempt, result);
      });
    } catch (error) {
      setProblem(toPasskeyProblem(error));
    }
    setBusy(false);
  }

  // What was refused is not offered again by itself: the person presses.
  usePasskeyOffer(busy || problem !== undefined, (response) => void enter(async () => response));

  if (!known) return null;
  return (
    <div className="mt-5 flex flex-col gap-5">
      <div className="flex items-center gap-3 text-[0.8125rem] text-muted">
        <span className="h-px flex-1 bg-line" />
        or
        <span className="h-px flex-1 bg-line" />
      </div>
      {problem ? <Alert tone="danger">{problem}</Alert> : null}
      <Button size="lg" busy={busy} onClick={() => void enter(askForPasskey)}>
        <KeyRound aria-hidden="true" />
        Sign in with a passkey
      </Button>
    </div>
  );
}

const subscribe = () => () => undefined;
