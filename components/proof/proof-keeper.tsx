'use client';
import { type ComponentType, useEffect, useState } from 'react';
import { useAskProofMethods } from '#lib/client/account/proof.ts';
import { offerProof } from '#lib/client/api/proof-guard.ts';

type Asked = { Question: ComponentType<{ onDone(proven: boolean): void }>; answer(proven: boolean): void };

/** Then it opens without knowing how one can show it, and can be turned away. */
const LATE_MS = 2000;

/** Before what is hard to take back, asks over the page who is there, when the sign-in was long ago; then the act goes through. */
export function ProofKeeper() {
  const [asked, setAsked] = useState<Asked>();
  const askMethods = useAskProofMethods();
  useEffect(
    () =>
      offerProof(async () => {
        const asked = Promise.race([askMethods(), new Promise((late) => setTimeout(late, LATE_MS))]);
        const [loaded] = await Promise.all([import('./prove-again.tsx').catch(() => undefined), asked]);
        if (!loaded) return false;
        return new Promise<boolean>((answer) => setAsked({ Question: loaded.ProveAgain, answer }));
      }),
    [askMethods],
  );
  if (!asked) return null;
  return (
    <asked.Question
      onDone={(proven) => {
        setAsked(undefined);
        asked.answer(proven);
      }}
    />
  );
}
