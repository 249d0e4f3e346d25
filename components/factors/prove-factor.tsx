'use client';
import { useState } from 'react';
import { CodeInput } from '#components/door/code-input.tsx';
import { DoorHeading } from '#components/door/door-heading.tsx';
import { FormProblemAlert } from '#components/door/form-problem.tsx';
import { useDoorForm } from '#components/door/use-door-form.ts';
import { Button } from '#components/ui/button.tsx';
import { Field } from '#components/ui/form/field.tsx';
import { Form } from '#components/ui/form/form.tsx';
import { Input } from '#components/ui/form/input.tsx';
import { SubmitButton } from '#components/ui/form/submit-button.tsx';
import type { SignInAttempt } from '#lib/client/door/sign-in.ts';
import { mailSignInCode, proveFactor } from '#lib/client/factors/at-sign-in.ts';
import type { LoginResult } from '#lib/protocol/answers/login.ts';
import type { FactorMethod } from '#lib/protocol/factors/answers.ts';
import { verifyFactorRequest } from '#lib/protocol/factors/requests.ts';
import { MailCode } from './mail-code.tsx';

type Way = FactorMethod | 'recovery';

const WAYS: Record<Way, { field: string; text: string; other: string }> = {
  totp: {
    field: 'Six-digit code',
    text: 'Type the code that your authenticator app shows for Gatehouse.',
    other: 'Use your authenticator app',
  },
  email: { field: 'Six-digit code', text: 'Type the code that we mail to you.', other: 'Get a code by e-mail' },
  recovery: {
    field: 'Recovery code',
    text: 'Type one of the codes that you kept when you set this up. Each works once.',
    other: 'Use a recovery code',
  },
};

export type ProveFactorProps = {
  attempt: SignInAttempt;
  methods: FactorMethod[];
  email: string | undefined;
  onDone: (result: LoginResult) => Promise<void>;
};

/** The code of who has a second factor, by whichever of them is at hand. */
export function ProveFactor({ attempt, methods, email, onDone }: ProveFactorProps) {
  const ways: Way[] = [...methods, 'recovery'];
  const [way, setWay] = useState<Way>(methods[0] ?? 'recovery');
  const { field, text } = WAYS[way];
  return (
    <>
      <DoorHeading title="One more step">{text}</DoorHeading>
      {way === 'email' ? <MailCode to={email} send={() => mailSignInCode(attempt)} /> : null}
      <CodeForm key={way} label={field} isText={way === 'recovery'} attempt={attempt} onDone={onDone} />
      <div className="mt-6 flex flex-col items-start gap-2">
        {ways
          .filter((other) => other !== way)
          .map((other) => (
            <Button key={other} variant="link" onClick={() => setWay(other)}>
              {WAYS[other].other}
            </Button>
          ))}
      </div>
    </>
  );
}

type CodeFormProps = Pick<ProveFactorProps, 'attempt' | 'onDone'> & { label: string; isText: boolean };

function CodeForm({ label, isText, attempt, onDone }: CodeFormProps) {
  const { form, onSubmit, problem, errorOf, busy } = useDoorForm<{ token: string }>(
    verifyFactorRequest.pick({ token: true }),
    ['token'],
    async ({ token }) => onDone(await proveFactor(attempt, token)),
  );
  const registration = form.register('token');
  return (
    <Form busy={busy} onSubmit={onSubmit} className="flex flex-col gap-5">
      <FormProblemAlert problem={problem} />
      <Field label={label} error={errorOf('token')}>
        {isText ? (
          <Input large autoFocus autoComplete="off" spellCheck={false} className="font-mono" {...registration} />
        ) : (
          <CodeInput autoFocus {...registration} />
        )}
      </Field>
      <SubmitButton size="lg" busy={busy}>
        Sign in
      </SubmitButton>
    </Form>
  );
}
