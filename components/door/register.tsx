'use client';
import { useState } from 'react';
import { finishSignIn, registerProject, type SignInAttempt } from '#lib/client/sign-in.ts';
import { CheckMail } from './check-mail.tsx';
import { RegisterPerson } from './register-person.tsx';
import { RegisterProject } from './register-project.tsx';

type Step =
  | { name: 'person' }
  | { name: 'project'; attempt: SignInAttempt; firstName: string }
  | { name: 'mail'; email: string };

/** Two steps: who you are, then the project you start. */
export function Register() {
  const [step, setStep] = useState<Step>({ name: 'person' });
  switch (step.name) {
    case 'person':
      return (
        <RegisterPerson
          onDone={({ attempt, emailVerificationRequired }, values) =>
            setStep(
              emailVerificationRequired
                ? { name: 'mail', email: values.email }
                : { name: 'project', attempt, firstName: values.firstName },
            )
          }
        />
      );
    case 'project':
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
    case 'mail':
      return <CheckMail email={step.email} />;
  }
}
