'use client';
import Link from 'next/link';
import { Field } from '#components/ui/form/field.tsx';
import { Form } from '#components/ui/form/form.tsx';
import { Input } from '#components/ui/form/input.tsx';
import { SubmitButton } from '#components/ui/form/submit-button.tsx';
import { advisePassword } from '#lib/client/door/password-advice.ts';
import { type NewUser, type Registered, registerPerson } from '#lib/client/door/sign-in.ts';
import { newUserRequest } from '#lib/protocol/requests/auth.ts';
import { DoorHeading } from './door-heading.tsx';
import { FormProblemAlert } from './form-problem.tsx';
import { NewPasswordField } from './password-field.tsx';
import { StepDots } from './step-dots.tsx';
import { useDoorForm } from './use-door-form.ts';

const schema = newUserRequest
  .pick({ firstName: true, lastName: true, email: true, password: true })
  .superRefine(({ password, email, firstName, lastName }, ctx) => {
    const { problem } = advisePassword(password, [firstName, lastName, email]);
    if (problem) ctx.addIssue({ code: 'custom', path: ['password'], message: problem });
  });

export type RegisterPersonProps = {
  onDone: (registered: Registered, values: NewUser) => void;
};

export function RegisterPerson({ onDone }: RegisterPersonProps) {
  const { form, onSubmit, problem, errorOf, busy } = useDoorForm(
    schema,
    ['firstName', 'lastName', 'email', 'password'],
    async (values) => {
      onDone(await registerPerson(values), values);
    },
  );
  const { firstName = '', lastName = '', email = '', password = '' } = form.watch();
  return (
    <>
      <StepDots step={1} of={2} label="you" />
      <DoorHeading title="Create your account">Then you name your first project. It takes a minute.</DoorHeading>
      <Form busy={busy} onSubmit={onSubmit} className="flex flex-col gap-5">
        <FormProblemAlert problem={problem} />
        <div className="grid gap-4 sm:grid-cols-2">
          <Field label="First name" error={errorOf('firstName')}>
            <Input large autoFocus autoComplete="given-name" {...form.register('firstName')} />
          </Field>
          <Field label="Last name" error={errorOf('lastName')}>
            <Input large autoComplete="family-name" {...form.register('lastName')} />
          </Field>
        </div>
        <Field label="Work e-mail" error={errorOf('email')}>
          <Input large type="email" autoComplete="username" spellCheck={false} {...form.register('email')} />
        </Field>
        <NewPasswordField
          registration={form.register('password')}
          value={password}
          personal={[firstName, lastName, email]}
          error={errorOf('password')}
        />
        <SubmitButton size="lg" busy={busy}>
          Continue
        </SubmitButton>
      </Form>
      <p className="mt-6 text-muted">
        Have an account?{' '}
        <Link href="/signin" className="font-medium text-accent-text underline-offset-3 hover:underline">
          Sign in
        </Link>
        {' or '}
        <Link href="/register/project" className="font-medium text-accent-text underline-offset-3 hover:underline">
          start another project
        </Link>
      </p>
    </>
  );
}
