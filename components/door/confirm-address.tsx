'use client';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { Field } from '#components/ui/form/field.tsx';
import { Form } from '#components/ui/form/form.tsx';
import { SubmitButton } from '#components/ui/form/submit-button.tsx';
import { confirmAddressByCode, sendVerification } from '#lib/client/door/sign-in.ts';
import { linkCodeRequest } from '#lib/protocol/requests/auth.ts';
import { CheckMail } from './check-mail.tsx';
import { CodeInput } from './code-input.tsx';
import { FormProblemAlert } from './form-problem.tsx';
import { StepDots } from './step-dots.tsx';
import { useDoorForm } from './use-door-form.ts';

const WAIT_SECONDS = 30;
const schema = linkCodeRequest.pick({ code: true });

export type ConfirmAddressProps = {
  email: string;
  login: string;
  /** The code was right, or the link of the mail was used in another tab. */
  onDone: () => void;
  onOtherAddress: () => void;
};

/** "Check your mail": the code goes in here, or the link is opened; the mail can be sent again after a moment. */
export function ConfirmAddress({ email, login, onDone, onOtherAddress }: ConfirmAddressProps) {
  const { form, onSubmit, problem, errorOf, busy } = useDoorForm(schema, ['code'], async ({ code }) => {
    await confirmAddressByCode(email, code);
    onDone();
  });
  return (
    <>
      <StepDots step={2} of={3} label="your address" />
      <CheckMail email={email}>
        We have sent a code to <strong className="font-medium text-ink">{email}</strong>. Type it here, or open the link
        in the mail and come back.
      </CheckMail>
      <Form busy={busy} onSubmit={onSubmit} className="flex flex-col gap-5">
        <FormProblemAlert problem={problem} />
        <Field label="Six-digit code" error={errorOf('code')}>
          <CodeInput autoFocus {...form.register('code')} />
        </Field>
        <SubmitButton size="lg" busy={busy}>
          Continue
        </SubmitButton>
      </Form>
      <div className="mt-6 flex flex-wrap gap-x-5 gap-y-2">
        <SendAgain login={login} />
        <Button variant="link" onClick={onDone}>
          I have opened the link
        </Button>
        <Button variant="link" onClick={onOtherAddress}>
          Use another address
        </Button>
      </div>
    </>
  );
}

function SendAgain({ login }: { login: string }) {
  const [wait, setWait] = useState(WAIT_SECONDS);
  const send = useMutation({ mutationFn: () => sendVerification(login), onSettled: () => setWait(WAIT_SECONDS) });
  useEffect(() => {
    if (wait <= 0) return;
    const timer = setTimeout(() => setWait(wait - 1), 1000);
    return () => clearTimeout(timer);
  }, [wait]);
  return (
    <>
      <Button variant="link" busy={send.isPending} disabled={wait > 0} onClick={() => send.mutate()}>
        {wait > 0 ? `Send again in ${wait} s` : 'Send again'}
      </Button>
      <span role="status" className="sr-only">
        {send.isSuccess ? 'A new mail is on its way.' : (send.error?.message ?? '')}
      </span>
      {send.error ? <span className="text-[0.8125rem] text-danger-text">{send.error.message}</span> : null}
    </>
  );
}
