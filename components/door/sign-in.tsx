'use client';
import { useState } from 'react';
import { FactorStep } from '#components/factors/factor-step.tsx';
import type { SignInAttempt } from '#lib/client/door/sign-in.ts';
import { chooseMembership, finishSignIn } from '#lib/client/door/sign-in.ts';
import { toDemand } from '#lib/client/factors/at-sign-in.ts';
import type { LoginMembership, LoginResult } from '#lib/protocol/answers/login.ts';
import type { FactorDemand } from '#lib/protocol/factors/answers.ts';
import { ProjectChooser } from './project-chooser.tsx';
import { SignInForm } from './sign-in-form.tsx';

export type SignInProps = {
  /** Where to go after; a path of this site. */
  next?: string;
  projectId?: string;
  email?: string;
  notice?: 'signed-out' | 'expired' | 'password-set' | 'second-step';
};

type Step =
  | { name: 'password' }
  | { name: 'factor'; attempt: SignInAttempt; demand: FactorDemand }
  | { name: 'project'; attempt: SignInAttempt; memberships: LoginMembership[] };

export function SignIn({ next, projectId, email, notice }: SignInProps) {
  const [step, setStep] = useState<Step>({ name: 'password' });

  async function finish(attempt: SignInAttempt, code: string) {
    await finishSignIn(attempt, code);
    // A full load, so that nothing of an earlier session stays in memory.
    window.location.replace(next ?? '/p');
    await new Promise(() => undefined);
  }

  async function goOn(attempt: SignInAttempt, result: LoginResult) {
    const demand = toDemand(result);
    if (demand) return setStep({ name: 'factor', attempt, demand });
    if (result.code) return finish(attempt, result.code);
    if (result.memberships) setStep({ name: 'project', attempt, memberships: result.memberships });
  }

  const startAgain = () => setStep({ name: 'password' });

  if (step.name === 'factor') {
    const { attempt, demand } = step;
    return (
      <FactorStep
        key={'mfaRequired' in demand ? 'prove' : 'enroll'}
        attempt={attempt}
        demand={demand}
        onDone={(result) => goOn(attempt, result)}
        onBack={startAgain}
      />
    );
  }
  if (step.name === 'project') {
    return (
      <ProjectChooser
        memberships={step.memberships}
        onBack={startAgain}
        onChoose={async (membership) => goOn(step.attempt, await chooseMembership(step.attempt, membership.id))}
      />
    );
  }
  return <SignInForm projectId={projectId} email={email} notice={notice} onSignedIn={goOn} />;
}
