'use client';
import { useState } from 'react';
import { FactorStep } from '#components/factors/factor-step.tsx';
import { PasskeySignIn } from '#components/passkeys/passkey-sign-in.tsx';
import { ApiError } from '#lib/client/api/api-error.ts';
import { finishSignIn, registerProject, type SignInAttempt } from '#lib/client/door/sign-in.ts';
import { toDemand } from '#lib/client/factors/at-sign-in.ts';
import type { FactorDemand } from '#lib/protocol/factors/answers.ts';
import { ConfirmAddress } from './confirm-address.tsx';
import { RegisterPerson } from './register-person.tsx';
import { RegisterProject } from './register-project.tsx';
import { SignInForm } from './sign-in-form.tsx';

type Person = { attempt: SignInAttempt; email: string; firstName?: string };
type Step =
  | { name: 'person' }
  | { name: 'factor'; attempt: SignInAttempt; email: string; demand: FactorDemand }
  | ({ name: 'address' | 'project'; confirming: boolean } & Person);

/** Who you are, your address confirmed where the server asks for it, then the project you start. `known`: there is an account already. */
export function Register({ known = false }: { known?: boolean }) {
  const [step, setStep] = useState<Step>({ name: 'person' });
  if (step.name === 'person') {
    if (!known) {
      return (
        <RegisterPerson
          onDone={({ attempt, mustConfirm }, { firstName, email }) =>
            setStep({
              name: mustConfirm ? 'address' : 'project',
              confirming: mustConfirm,
              attempt,
              email,
              firstName,
            })
          }
        />
      );
    }
    return (
      <SignInForm
        title="Start a project"
        projectId="new"
        passkeys={
          <PasskeySignIn
            projectId="new"
            onSignedIn={async (attempt) => setStep({ name: 'project', confirming: false, attempt, email: '' })}
          />
        }
        onSignedIn={async (attempt, result, email) => {
          const demand = toDemand(result);
          setStep(
            demand
              ? { name: 'factor', attempt, email, demand }
              : { name: 'project', confirming: false, attempt, email },
          );
        }}
      />
    );
  }
  if (step.name === 'factor') {
    const { attempt, email, demand } = step;
    return (
      <FactorStep
        attempt={attempt}
        demand={demand}
        onDone={async () => setStep({ name: 'project', confirming: false, attempt, email })}
        onPasskey={async (own) => setStep({ name: 'project', confirming: false, attempt: own, email })}
        onBack={() => setStep({ name: 'person' })}
      />
    );
  }
  if (step.name === 'address') {
    return (
      <ConfirmAddress
        email={step.email}
        login={step.attempt.login}
        onDone={() => setStep({ ...step, name: 'project' })}
        onOtherAddress={() => setStep({ name: 'person' })}
      />
    );
  }
  return (
    <RegisterProject
      firstName={step.firstName}
      of={step.confirming ? 3 : 2}
      onSubmit={async (projectName) => {
        const { code } = await registerProject(step.attempt, projectName).catch((error: unknown) => {
          // Not confirmed yet, after all.
          if (isAboutAddress(error)) setStep({ ...step, name: 'address', confirming: true });
          throw error;
        });
        if (!code) return;
        await finishSignIn(step.attempt, code);
        window.location.replace('/p');
        await new Promise(() => undefined);
      }}
    />
  );
}

function isAboutAddress(error: unknown): boolean {
  return error instanceof ApiError && error.issues.some(({ expression }) => expression === 'email');
}
