'use client';
import Link from 'next/link';
import { Field } from '#components/ui/form/field.tsx';
import { Form } from '#components/ui/form/form.tsx';
import { Input } from '#components/ui/form/input.tsx';
import { SubmitButton } from '#components/ui/form/submit-button.tsx';
import { redeemCode } from '#lib/client/door/password-links.ts';
import { linkCodeRequest } from '#lib/protocol/requests/auth.ts';
import { CodeInput } from './code-input.tsx';
import { DoorHeading } from './door-heading.tsx';
import { FormProblemAlert } from './form-problem.tsx';
import { useDoorForm } from './use-door-form.ts';

/** For who cannot open the link of a mail: its six digits lead to the same page. */
export function EnterCode() {
  const { form, onSubmit, problem, errorOf, busy } = useDoorForm(
    linkCodeRequest,
    ['email', 'code'],
    async ({ email, code }) => {
      const { type, id, secret } = await redeemCode(email, code);
      window.location.assign(`/${type === 'verify-email' ? 'verifyemail' : 'setpassword'}/${id}#${secret}`);
      await new Promise(() => undefined);
    },
  );
  return (
    <>
      <DoorHeading title="Enter your code">
        It stands in the mail, below the button, and does the same as the link.
      </DoorHeading>
      <Form busy={busy} onSubmit={onSubmit} className="flex flex-col gap-5">
        <FormProblemAlert problem={problem} />
        <Field label="E-mail" description="The address that the mail came to." error={errorOf('email')}>
          <Input large type="email" autoFocus autoComplete="username" spellCheck={false} {...form.register('email')} />
        </Field>
        <Field label="Six-digit code" error={errorOf('code')}>
          <CodeInput {...form.register('code')} />
        </Field>
        <SubmitButton size="lg" busy={busy}>
          Continue
        </SubmitButton>
      </Form>
      <p className="mt-6 text-muted">
        No mail, or an old one?{' '}
        <Link href="/resetpassword" className="font-medium text-accent-text underline-offset-3 hover:underline">
          Ask for a new one
        </Link>
      </p>
    </>
  );
}
