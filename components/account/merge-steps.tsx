'use client';
import { FormProblemAlert } from '#components/door/form-problem.tsx';
import { useDoorForm } from '#components/door/use-door-form.ts';
import { MailCode } from '#components/factors/mail-code.tsx';
import { Field } from '#components/ui/form/field.tsx';
import { Form } from '#components/ui/form/form.tsx';
import { Input } from '#components/ui/form/input.tsx';
import { PasswordInput } from '#components/ui/form/password-input.tsx';
import { beginMerge, mailMergeCode, showMerge } from '#lib/client/account/merge.ts';
import type { Merge, MergeBegun } from '#lib/protocol/account-merge/answers.ts';
import { mergeCodeRequest, mergeRequest } from '#lib/protocol/account-merge/requests.ts';

type StepProps = { id: string; onBusy: (busy: boolean) => void };

/** Address and password of the account that is to end. */
export function MergeSignIn({
  id,
  onBusy,
  onDone,
}: StepProps & { onDone: (begun: MergeBegun, email: string) => void }) {
  const { form, onSubmit, problem, errorOf, busy } = useDoorForm<{ email: string; password: string }>(
    mergeRequest,
    ['email', 'password'],
    async (values) => {
      onBusy(true);
      try {
        onDone(await beginMerge(values), values.email);
      } finally {
        onBusy(false);
      }
    },
  );
  return (
    <Form id={id} busy={busy} onSubmit={onSubmit} className="flex flex-col gap-4">
      <FormProblemAlert problem={problem} />
      <Field label="Address of the other account" error={errorOf('email')}>
        <Input {...form.register('email')} type="email" autoComplete="username" spellCheck={false} autoFocus />
      </Field>
      <Field label="Password of the other account" error={errorOf('password')}>
        <PasswordInput {...form.register('password')} autoComplete="current-password" />
      </Field>
    </Form>
  );
}

const codeSchema = mergeCodeRequest.pick({ token: true });

type SecondStepProps = StepProps & { begun: MergeBegun; email: string; onDone: (merge: Merge) => void };

export function MergeSecondStep({ id, begun, email, onBusy, onDone }: SecondStepProps) {
  const { handle, mfaMethods } = begun;
  const { form, onSubmit, problem, errorOf, busy } = useDoorForm<{ token: string }>(
    codeSchema,
    ['token'],
    async ({ token }) => {
      onBusy(true);
      try {
        onDone(await showMerge({ handle, token }));
      } finally {
        onBusy(false);
      }
    },
  );
  return (
    <>
      {mfaMethods.includes('email') ? <MailCode to={email} send={() => mailMergeCode(handle)} /> : null}
      <Form id={id} busy={busy} onSubmit={onSubmit} className="flex flex-col gap-4">
        <FormProblemAlert problem={problem} />
        <Field label="Code of the other account" description="Six digits, or a recovery code." error={errorOf('token')}>
          <Input
            {...form.register('token')}
            autoComplete="one-time-code"
            spellCheck={false}
            className="font-mono"
            autoFocus
          />
        </Field>
      </Form>
    </>
  );
}
