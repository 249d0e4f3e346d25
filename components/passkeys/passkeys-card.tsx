'use client';
import { useState, useSyncExternalStore } from 'react';
import { focusCard, SettingsCard } from '#components/settings/settings-card.tsx';
import { Button } from '#components/ui/button.tsx';
import { Alert } from '#components/ui/feedback/alert.tsx';
import { ErrorState } from '#components/ui/feedback/error-state.tsx';
import { Skeleton, SkeletonRegion } from '#components/ui/feedback/skeleton.tsx';
import { toast } from '#components/ui/feedback/toast.tsx';
import { asksPassword, useAddPasskey, usePasskeys } from '#lib/client/passkeys/passkeys.ts';
import { knowsPasskeys, toPasskeyProblem } from '#lib/client/passkeys/problem.ts';
import { PasskeyList } from './passkey-list.tsx';
import { PasskeyPassword } from './passkey-password.tsx';

/** What one signs in with instead of a password. */
export function PasskeysCard() {
  const passkeys = usePasskeys();
  const add = useAddPasskey();
  const [asking, setAsking] = useState(false);
  const [problem, setProblem] = useState<string>();
  const known = useSyncExternalStore(subscribe, knowsPasskeys, () => true);

  const close = () => {
    setAsking(false);
    focusCard('passkeys');
  };

  /** Throws what is wrong with the password. */
  async function start(body: { password?: string } = {}) {
    setProblem(undefined);
    try {
      const { name } = await add.mutateAsync(body);
      toast({ title: 'Passkey added', description: `It is called “${name}”, and signs you in from now on.` });
      close();
    } catch (error) {
      if (asksPassword(error)) {
        setAsking(true);
        if (body.password !== undefined) throw error;
        return;
      }
      setAsking(false);
      setProblem(toPasskeyProblem(error));
    }
  }

  return (
    <SettingsCard
      id="passkeys"
      title="Passkeys"
      description="Sign in with your fingerprint, face or screen lock, or with a security key, instead of a password."
      action={
        known && !asking ? (
          <Button busy={add.isPending} onClick={() => void start()}>
            Add a passkey
          </Button>
        ) : null
      }
    >
      <div className="flex flex-col gap-4">
        {problem ? <Alert tone="danger">{problem}</Alert> : null}
        {asking ? <PasskeyPassword onSubmit={start} onClose={close} /> : null}
        {passkeys.data ? (
          <PasskeyList passkeys={passkeys.data.passkeys} known={known} />
        ) : passkeys.error ? (
          <ErrorState error={passkeys.error} what="your passkeys" onRetry={() => void passkeys.refetch()} />
        ) : (
          <SkeletonRegion label="Loading your passkeys">
            <Skeleton className="h-5 w-44" />
          </SkeletonRegion>
        )}
      </div>
    </SettingsCard>
  );
}

const subscribe = () => () => undefined;
