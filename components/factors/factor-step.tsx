'use client';
import { useState } from 'react';
import { DoorHeading } from '#components/door/door-heading.tsx';
import { PasskeySignIn } from '#components/passkeys/passkey-sign-in.tsx';
import { Button } from '#components/ui/button.tsx';
import { Alert } from '#components/ui/feedback/alert.tsx';
import type { SignInAttempt } from '#lib/client/door/sign-in.ts';
import { enrollAtSignIn, mailSignInCode } from '#lib/client/factors/at-sign-in.ts';
import type { LoginResult } from '#lib/protocol/answers/login.ts';
import type { FactorDemand } from '#lib/protocol/factors/answers.ts';
import { EnrollFactor } from './enroll-factor.tsx';
import { ProveFactor } from './prove-factor.tsx';
import { RecoveryCodeList } from './recovery-code-list.tsx';

export type FactorStepProps = {
  attempt: SignInAttempt;
  demand: FactorDemand;
  /** Goes on with what the sign-in answers then. */
  onDone: (result: LoginResult) => Promise<void>;
  /** Signed in with the passkey instead: that is a sign-in of its own. */
  onPasskey: (attempt: SignInAttempt, result: LoginResult) => Promise<void>;
  onBack: () => void;
};

/** The second step of a sign-in: a code, or, for who must have a second factor and has none, setting one up. */
export function FactorStep({ attempt, demand, onDone, onPasskey, onBack }: FactorStepProps) {
  const [enrolled, setEnrolled] = useState<{ result: LoginResult; codes: string[] }>();
  const [going, setGoing] = useState(false);
  const [problem, setProblem] = useState<string>();
  if (enrolled) {
    return (
      <>
        <DoorHeading title="Keep your recovery codes">
          Each opens your account once, when your phone is not at hand. They are shown only now.
        </DoorHeading>
        {problem ? <Alert tone="danger">{problem}</Alert> : null}
        <RecoveryCodeList codes={enrolled.codes} />
        <Button
          variant="primary"
          size="lg"
          className="mt-6 w-full"
          busy={going}
          onClick={() => {
            setGoing(true);
            void onDone(enrolled.result).catch(() => {
              // The sign-in does not wait for as long as it may take to put them away.
              setProblem('Two-step sign-in is set up, but this sign-in has waited for too long: sign in again.');
              setGoing(false);
            });
          }}
        >
          I have kept them
        </Button>
        {problem ? (
          <Button variant="link" className="mt-6 self-start" onClick={onBack}>
            Sign in again
          </Button>
        ) : null}
      </>
    );
  }
  return (
    <>
      {'mfaRequired' in demand && demand.mfaMethods.includes('passkey') ? (
        <>
          <DoorHeading title="Use your passkey">
            More than a password is asked for here, and you have a passkey: sign in with it. If it is lost, an
            administrator of the project can take it out of your account.
          </DoorHeading>
          <PasskeySignIn onSignedIn={onPasskey} />
        </>
      ) : 'mfaRequired' in demand ? (
        <ProveFactor
          attempt={attempt}
          methods={demand.mfaMethods.filter((method) => method !== 'passkey')}
          email={demand.email}
          onDone={onDone}
        />
      ) : (
        <>
          <DoorHeading title="Set up two-step sign-in">
            It is required here: besides your password, signing in asks for a code that only you can have.
          </DoorHeading>
          <EnrollFactor
            offer={{ ...demand, methods: demand.allowedMfaMethods }}
            mailCode={() => mailSignInCode(attempt)}
            onEnroll={async (given) => {
              const { recoveryCodes = [], ...result } = await enrollAtSignIn(attempt, given);
              if (recoveryCodes.length > 0) setEnrolled({ result, codes: recoveryCodes });
              else await onDone(result);
            }}
          />
        </>
      )}
      <Button variant="link" className="mt-6 self-start" onClick={onBack}>
        Use another account
      </Button>
    </>
  );
}
