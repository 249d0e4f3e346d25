'use client';
import { useState } from 'react';
import { FactorStep } from '#components/factors/factor-step.tsx';
import { PasskeySignIn } from '#components/passkeys/passkey-sign-in.tsx';
import { MailedCode } from '#components/sign-in-link/mailed-code.tsx';
import { OpenedLink } from '#components/sign-in-link/opened-link.tsx';
import { type MailedSignIn, mailSignIn } from '#lib/client/door/by-mail.ts';
import { goToProvider } from '#lib/client/door/external.ts';
import { toSafePath } from '#lib/client/door/safe-path.ts';
import type { SignInAttempt } from '#lib/client/door/sign-in.ts';
import { chooseMembership, finishSignIn } from '#lib/client/door/sign-in.ts';
import { toDemand } from '#lib/client/factors/at-sign-in.ts';
import type { LoginMembership, LoginResult } from '#lib/protocol/answers/login.ts';
import type { FactorDemand } from '#lib/protocol/factors/answers.ts';
import { CameBack } from '../external/came-back.tsx';
import { ProjectChooser } from './project-chooser.tsx';
import { SignInForm } from './sign-in-form.tsx';

export type SignInProps = {
  /** Where to go after; a path of this site. */
  next?: string;
  projectId?: string;
  email?: string;
  notice?: 'signed-out' | 'expired' | 'password-set' | 'second-step' | 'not-named';
  /** From an identity provider. */
  back?: { login: string; code?: string };
  /** The id of a mailed link that was opened. */
  link?: string;
};

/** `next`: where an identity provider was asked from. */
type Step =
  | { name: 'back'; back: { login: string; code?: string } }
  | { name: 'password'; notice?: 'not-named' }
  | { name: 'link'; id: string }
  | { name: 'mailed'; mailed: MailedSignIn }
  | { name: 'factor'; attempt: SignInAttempt; demand: FactorDemand; next?: string }
  | { name: 'project'; attempt: SignInAttempt; memberships: LoginMembership[]; next?: string };

export function SignIn({ next, projectId, email, notice, back, link }: SignInProps) {
  const [step, setStep] = useState<Step>(toFirst(back, link));

  async function finish(attempt: SignInAttempt, code: string, place = next) {
    await finishSignIn(attempt, code);
    // A full load, so that nothing of an earlier session stays in memory.
    window.location.replace(place ?? '/p');
    await new Promise(() => undefined);
  }

  async function goOn(attempt: SignInAttempt, result: LoginResult, place = next) {
    const demand = toDemand(result);
    if (demand) return setStep({ name: 'factor', attempt, demand, next: place });
    if (result.code) return finish(attempt, result.code, place);
    if (result.memberships) setStep({ name: 'project', attempt, memberships: result.memberships, next: place });
  }

  const startAgain = () => setStep({ name: 'password' });

  if (step.name === 'back')
    return (
      <CameBack
        back={step.back}
        onSignedIn={(attempt, result, place) => goOn(attempt, result, toSafePath(place))}
        onFailed={() => setStep({ name: 'password', notice: 'not-named' })}
      />
    );
  if (step.name === 'link') return <OpenedLink id={step.id} onSignedIn={goOn} />;
  if (step.name === 'mailed')
    return (
      <MailedCode mailed={step.mailed} onSignedIn={(attempt, result) => goOn(attempt, result)} onBack={startAgain} />
    );
  if (step.name === 'factor') {
    const { attempt, demand } = step;
    return (
      <FactorStep
        key={'mfaRequired' in demand ? 'prove' : 'enroll'}
        attempt={attempt}
        demand={demand}
        onDone={(result) => goOn(attempt, result, step.next)}
        onPasskey={(own, result) => goOn(own, result, step.next)}
        onBack={startAgain}
      />
    );
  }
  if (step.name === 'project') {
    return (
      <ProjectChooser
        memberships={step.memberships}
        onBack={startAgain}
        onChoose={async (membership) =>
          goOn(step.attempt, await chooseMembership(step.attempt, membership.id), step.next)
        }
      />
    );
  }
  return (
    <SignInForm
      projectId={projectId}
      email={email}
      notice={step.notice ?? notice}
      passkeys={<PasskeySignIn projectId={projectId} onSignedIn={(attempt, result) => goOn(attempt, result)} />}
      onProvider={(authorizeUrl) => goToProvider(authorizeUrl, { next, projectId })}
      onMail={async (address) => setStep({ name: 'mailed', mailed: await mailSignIn(address, { projectId, next }) })}
      onSignedIn={(attempt, result) => goOn(attempt, result)}
    />
  );
}

function toFirst(back: SignInProps['back'], link: string | undefined): Step {
  if (back) return { name: 'back', back };
  return link ? { name: 'link', id: link } : { name: 'password' };
}
