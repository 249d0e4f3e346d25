'use client';
import { useState } from 'react';
import type { SignInAttempt } from '#lib/client/door/sign-in.ts';
import { chooseMembership, finishSignIn } from '#lib/client/door/sign-in.ts';
import type { LoginMembership } from '#lib/protocol/answers/login.ts';
import { ProjectChooser } from './project-chooser.tsx';
import { SignInForm } from './sign-in-form.tsx';

export type SignInProps = {
  /** Where to go after; a path of this site. */
  next?: string;
  projectId?: string;
  email?: string;
  notice?: 'signed-out' | 'expired' | 'password-set';
};

type Step = { name: 'password' } | { name: 'project'; attempt: SignInAttempt; memberships: LoginMembership[] };

export function SignIn({ next, projectId, email, notice }: SignInProps) {
  const [step, setStep] = useState<Step>({ name: 'password' });

  async function finish(attempt: SignInAttempt, code: string) {
    await finishSignIn(attempt, code);
    // A full load, so that nothing of an earlier session stays in memory.
    window.location.replace(next ?? '/p');
    await new Promise(() => undefined);
  }

  if (step.name === 'project') {
    return (
      <ProjectChooser
        memberships={step.memberships}
        onBack={() => setStep({ name: 'password' })}
        onChoose={async (membership) => {
          const { code } = await chooseMembership(step.attempt, membership.id);
          if (code) await finish(step.attempt, code);
        }}
      />
    );
  }
  return (
    <SignInForm
      projectId={projectId}
      email={email}
      notice={notice}
      onSignedIn={async (attempt, result) => {
        if (result.code) return finish(attempt, result.code);
        if (result.memberships) setStep({ name: 'project', attempt, memberships: result.memberships });
      }}
    />
  );
}
