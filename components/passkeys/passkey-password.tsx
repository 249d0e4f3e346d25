'use client';
import { z } from 'zod';
import { FormProblemAlert } from '#components/door/form-problem.tsx';
import { useDoorForm } from '#components/door/use-door-form.ts';
import { Button } from '#components/ui/button.tsx';
import { Field } from '#components/ui/form/field.tsx';
import { Form } from '#components/ui/form/form.tsx';
import { PasswordInput } from '#components/ui/form/password-input.tsx';
import { SubmitButton } from '#components/ui/form/submit-button.tsx';

const schema = z.object({ password: z.string().min(1, 'Your password is needed') });

type Props = { onSubmit: (values: { password: string }) => Promise<void>; onClose: () => void };

/** That it is still the person who signed in, before they are given another way in. */
export function PasskeyPassword({ onSubmit: submit, onClose }: Props) {
  const { form, onSubmit, problem, errorOf, busy } = useDoorForm(schema, ['password'], submit, {
    defaultValues: { password: '' },
  });
  return (
    <Form busy={busy} onSubmit={onSubmit} className="flex max-w-md flex-col gap-5">
      <FormProblemAlert problem={problem} />
      <Field
        label="Your password"
        description="You signed in a while ago: type it again to add a passkey."
        error={errorOf('password')}
      >
        <PasswordInput large {...form.register('password')} autoComplete="current-password" autoFocus />
      </Field>
      <div className="flex gap-2">
        <SubmitButton busy={busy}>Go on</SubmitButton>
        <Button onClick={onClose}>Cancel</Button>
      </div>
    </Form>
  );
}
