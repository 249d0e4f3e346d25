'use client';
import dynamic from 'next/dynamic';
import { useEffect, useState } from 'react';
import { offerSignIn } from '#lib/client/api/session-guard.ts';

const SignInAgain = dynamic(() => import('./sign-in-again.tsx').then((module) => module.SignInAgain), { ssr: false });

/** When the session ends, asks for the password over the page as it stands: nothing typed is lost, and the request goes through. */
export function SessionKeeper({ projectId }: { projectId: string }) {
  const [answer, setAnswer] = useState<(regained: boolean) => void>();
  useEffect(() => offerSignIn(() => new Promise<boolean>((resolve) => setAnswer(() => resolve))), []);
  if (!answer) return null;
  return (
    <SignInAgain
      projectId={projectId}
      onDone={(regained) => {
        setAnswer(undefined);
        answer(regained);
      }}
    />
  );
}
