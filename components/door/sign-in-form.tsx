'use client';
import Link from 'next/link';
import { type ReactNode, useState } from 'react';
import { MailInstead } from '#components/sign-in-link/mail-instead.tsx';
import { Alert } from '#components/ui/feedback/alert.tsx';
import { Field } from '#components/ui/form/field.tsx';
import { Form } from '#components/ui/form/form.tsx';
import { Input } from '#components/ui/form/input.tsx';
import { PasswordInput } from '#components/ui/form/password-input.tsx';
import { SubmitButton } from '#components/ui/form/submit-button.tsx';
import { findMethod } from '#lib/client/door/external.ts';
import { type SignInAttempt, startSignIn } from '#lib/client/door/sign-in.ts';
import type { LoginResult } from '#lib/protocol/answers/login.ts';
import { loginRequest } from '#lib/protocol/requests/auth.ts';
import { AtOrganisation } from '../external/at-organisation.tsx';
import { DoorHeading } from './door-heading.tsx';
import { FormProblemAlert } from './form-problem.tsx';
import { useDoorForm } from './use-door-form.ts';

const passwordStep = loginRequest
  .pick({ email: true, password: true })
  .refine(({ password }) => password !== '', { path: ['password'], message: 'Enter your password' });
const emailStep = loginRequest.pick({ email: true }).extend({ password: loginRequest.shape.password.optional() });
type Values = { email: string; password?: string };

const NOTICES = {
  'signed-out': { tone: 'good', text: 'You are signed out.' },
  expired: { tone: 'warn', text: 'Your session has ended. Sign in to go on where you were.' },
  'second-step': { tone: 'warn', text: 'This project asks for a second step. Sign in again to enter it.' },
  'not-named': { tone: 'warn', text: 'Your identity provider could not sign you in here. Please try again.' },
  'password-set': { tone: 'good', text: 'Your password is set. Sign in with it.' },
} as const;

export type SignInFormProps = {
  projectId?: string;
  email?: string;
  notice?: keyof typeof NOTICES;
  title?: string;
  /** Leaves for the identity provider of the address. Where it is not given, everybody has a password. */
  onProvider?: (authorizeUrl: string) => Promise<void>;
  /** The other way in: passkeys, which the browser then offers where the address is typed. */
  passkeys?: ReactNode;
  /** And by a mail to the address. */
  onMail?: (email: string) => Promise<void>;
  onSignedIn: (attempt: SignInAttempt, result: LoginResult, email: string) => Promise<void>;
};

/** One field first; the password comes when the address stands, and the address stays in sight and editable. */
export function SignInForm({
  projectId,
  email,
  notice,
  title = 'Sign in',
  passkeys,
  onProvider,
  onMail,
  onSignedIn,
}: SignInFormProps) {
  const [asking, setAsking] = useState(false);
  /** Where this address may sign in instead of here. */
  const [organisation, setOrganisation] = useState<{ email: string; authorizeUrl: string }>();
  const { form, onSubmit, problem, errorOf, busy } = useDoorForm<Values>(
    asking ? passwordStep : emailStep,
    ['email', 'password'],
    async (values) => {
      if (!asking) {
        const { authorizeUrl, optional } = onProvider ? await findMethod(values.email, projectId) : {};
        if (authorizeUrl && !optional) return onProvider?.(authorizeUrl);
        setOrganisation(authorizeUrl ? { email: values.email, authorizeUrl } : undefined);
        return setAsking(true);
      }
      const { attempt, result } = await startSignIn({
        email: values.email,
        password: values.password ?? '',
        projectId,
      });
      await onSignedIn(attempt, result, values.email);
    },
    email ? { defaultValues: { email } } : {},
  );
  const typed = form.watch('email') ?? '';
  return (
    <>
      <DoorHeading title={title} />
      <Form busy={busy} onSubmit={onSubmit} className="flex flex-col gap-5">
        {notice && !problem ? <Alert tone={NOTICES[notice].tone}>{NOTICES[notice].text}</Alert> : null}
        <FormProblemAlert problem={problem} />
        <Field label="E-mail" error={errorOf('email')}>
          <Input
            large
            type="email"
            autoComplete={passkeys ? 'username webauthn' : 'username'}
            autoFocus={!email}
            spellCheck={false}
            {...form.register('email')}
          />
        </Field>
        {asking ? (
          <Field
            label="Password"
            error={errorOf('password')}
            className="animate-rise"
            aside={
              <Link
                href={{ pathname: '/resetpassword', query: projectId ? { project: projectId } : {} }}
                className="rounded-sm text-[0.8125rem] text-accent-text underline-offset-3 hover:underline"
              >
                Forgot it?
              </Link>
            }
          >
            <PasswordInput large autoFocus autoComplete="current-password" {...form.register('password')} />
          </Field>
        ) : null}
        <SubmitButton size="lg" busy={busy}>
          {asking ? 'Sign in' : 'Continue'}
        </SubmitButton>
      </Form>
      {asking && onProvider && organisation?.email === typed ? (
        <AtOrganisation disabled={busy} onGo={() => onProvider(organisation.authorizeUrl)} />
      ) : null}
      {asking && onMail ? <MailInstead email={typed} disabled={busy} onMail={onMail} /> : null}
      {passkeys}
      <p className="mt-6 text-muted">
        New here?{' '}
        <Link href="/register" className="font-medium text-accent-text underline-offset-3 hover:underline">
          Register a project
        </Link>
      </p>
      {asking && problem && !projectId && typed ? (
        <p className="mt-3 text-[0.8125rem] text-muted">
          Invited to a single project? Use the sign-in link in your invitation: it names the project. No project yet?{' '}
          <Link href="/register/project" className="text-accent-text underline underline-offset-3">
            Start one
          </Link>
          .
        </p>
      ) : null}
      {asking ? (
        <p className="mt-3 text-[0.8125rem] text-muted">
          <Link href="/lostaddress" className="text-accent-text underline-offset-3 hover:underline">
            I no longer have this address
          </Link>
        </p>
      ) : null}
    </>
  );
}
