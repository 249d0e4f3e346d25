'use client';
import { CodeInput } from '#components/door/code-input.tsx';
import { DoorHeading } from '#components/door/door-heading.tsx';
import { FormProblemAlert } from '#components/door/form-problem.tsx';
import { useDoorForm } from '#components/door/use-door-form.ts';
import { Button } from '#components/ui/button.tsx';
import { Field } from '#components/ui/form/field.tsx';
import { Form } from '#components/ui/form/form.tsx';
import { SubmitButton } from '#components/ui/form/submit-button.tsx';
import { type MailedSignIn, signInByMailedCode } from '#lib/client/door/by-mail.ts';
import type { SignInAttempt } from '#lib/client/door/sign-in.ts';
import type { LoginResult } from '#lib/protocol/answers/login.ts';
import { linkCodeRequest } from '#lib/protocol/requests/auth.ts';

const codeStep = linkCodeRequest.pick({ code: true });

type Props = {
  mailed: MailedSignIn;
  onSignedIn: (attempt: SignInAttempt, result: LoginResult) => Promise<void>;
  onBack: () => void;
};

/** After the mail was asked for. It says the same whether or not there is one: nobody is told who has an account. */
export function MailedCode({ mailed, onSignedIn, onBack }: Props) {
  const { form, onSubmit, problem, errorOf, busy } = useDoorForm<{ code: string }>(
    codeStep,
    ['code'],
    async ({ code }) => {
      const { attempt, result } = await signInByMailedCode(mailed, code.replace(/\s/g, ''));
      await onSignedIn(attempt, result);
    },
  );
  return (
    <>
      <DoorHeading title="Look into your mail">
        If your project lets you in by e-mail, a link and a code are on their way to{' '}
        <strong className="break-words font-medium text-ink">{mailed.email}</strong>. They are good for ten minutes.
      </DoorHeading>
      <Form busy={busy} onSubmit={onSubmit} className="flex flex-col gap-5">
        <FormProblemAlert problem={problem} />
        <Field label="Six-digit code" error={errorOf('code')}>
          <CodeInput autoFocus {...form.register('code')} />
        </Field>
        <SubmitButton size="lg" busy={busy}>
          Sign in
        </SubmitButton>
      </Form>
      <Button variant="link" className="mt-6 self-start" onClick={onBack}>
        Sign in another way
      </Button>
    </>
  );
}
