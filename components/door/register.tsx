'use client';
import { useState } from 'react';
import { finishSignIn, registerProject, type SignInAttempt } from '#lib/client/sign-in.ts';
import { RegisterPerson } from './register-person.tsx';
import { RegisterProject } from './register-project.tsx';

type Step = { name: 'person' } | { name: 'project'; attempt: SignInAttempt; firstName: string };

/** Two steps: who you are, then the project you start. */
export function Register() {
  const [step, setStep] = useState<Step>({ name: 'person' });
  if (step.name === 'person') {
    return <RegisterPerson onDone={(attempt, { firstName }) => setStep({ name: 'project', attempt, firstName })} />;
  }
  return (
    <RegisterProject
      firstName={step.firstName}
      onSubmit={async (projectName) => {
        const { code } = await registerProject(step.attempt, projectName);
        if (!code) return;
        await finishSignIn(step.attempt, code);
        window.location.replace('/p');
        await new Promise(() => undefined);
      }}
    />
  );
}
