'use client';
import Link from 'next/link';
import { useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { Field } from '#components/ui/form/field.tsx';
import { Form } from '#components/ui/form/form.tsx';
import { Input } from '#components/ui/form/input.tsx';
import { SubmitButton } from '#components/ui/form/submit-button.tsx';
import { requestReset } from '#lib/client/door/password-links.ts';
import { resetPasswordRequest } from '#lib/protocol/requests/auth.ts';
import { CheckMail } from './check-mail.tsx';
import { DoorHeading } from './door-heading.tsx';
import { FormProblemAlert } from './form-problem.tsx';
import { useDoorForm } from './use-door-form.ts';

const schema = resetPasswordRequest.pick({ email: true });

/** The answer is the same for every address, so that nobody learns who has an account. */
export function ResetPassword({ projectId }: { projectId?: string }) {
  const [sentTo, setSentTo] = useState<string>();
  const { form, onSubmit, problem, errorOf, busy } = useDoorForm(schema, ['email'], async ({ email }) => {
    await requestReset(email, projectId);
    setSentTo(email);
  });
  if (sentTo) {
    return (
      <>
        <CheckMail email={sentTo}>
          If <strong className="font-medium text-ink">{sentTo}</strong> has an account here, a link to set a new
          password is on its way. It works for one hour.
        </CheckMail>
        <Button variant="link" className="self-start" onClick={() => setSentTo(undefined)}>
          Use another address
        </Button>
        <p className="mt-3 text-muted">
          Cannot open the link?{' '}
          <Link href="/setpassword" className="font-medium text-accent-text underline-offset-3 hover:underline">
            Enter the code from the mail
          </Link>
        </p>
      </>
    );
  }
  return (
    <>
      <DoorHeading title="Reset your password">Tell us your address and we send you a link.</DoorHeading>
      <Form busy={busy} onSubmit={onSubmit} className="flex flex-col gap-5">
        <FormProblemAlert problem={problem} />
        <Field label="E-mail" error={errorOf('email')}>
          <Input large type="email" autoFocus autoComplete="username" spellCheck={false} {...form.register('email')} />
        </Field>
        <SubmitButton size="lg" busy={busy}>
          Send the link
        </SubmitButton>
      </Form>
      <p className="mt-6 text-muted">
        Remembered it?{' '}
        <Link href="/signin" className="font-medium text-accent-text underline-offset-3 hover:underline">
          Sign in
        </Link>
      </p>
    </>
  );
}
