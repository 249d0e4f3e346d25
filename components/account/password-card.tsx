'use client';
import { useState } from 'react';
import { z } from 'zod';
import { FormProblemAlert } from '#components/door/form-problem.tsx';
import { NewPasswordField } from '#components/door/password-field.tsx';
import { useDoorForm } from '#components/door/use-door-form.ts';
import { focusCard, SettingsCard } from '#components/settings/settings-card.tsx';
import { Button } from '#components/ui/button.tsx';
import { toast } from '#components/ui/feedback/toast.tsx';
import { Field } from '#components/ui/form/field.tsx';
import { Form } from '#components/ui/form/form.tsx';
import { PasswordInput } from '#components/ui/form/password-input.tsx';
import { SubmitButton } from '#components/ui/form/submit-button.tsx';
import { useChangePassword } from '#lib/client/account/account.ts';
import { advisePassword } from '#lib/client/door/password-advice.ts';

export function PasswordCard({ personal }: { personal: readonly string[] }) {
  const [open, setOpen] = useState(false);
  const close = () => {
    setOpen(false);
    focusCard('password');
  };
  return (
    <SettingsCard
      id="password"
      title="Password"
      description="Changing it ends your sessions on other devices."
      action={open ? null : <Button onClick={() => setOpen(true)}>Change password</Button>}
    >
      {open ? <PasswordForm personal={personal} onClose={close} /> : null}
    </SettingsCard>
  );
}

function PasswordForm({ personal, onClose }: { personal: readonly string[]; onClose: () => void }) {
  const change = useChangePassword();
  const { form, onSubmit, problem, errorOf, busy } = useDoorForm(
    toSchema(personal),
    ['oldPassword', 'newPassword'],
    async (values) => {
      await change.mutateAsync(values);
      toast({ title: 'Password changed', description: 'Your other sessions have ended.' });
      onClose();
    },
    { defaultValues: { oldPassword: '', newPassword: '' } },
  );
  return (
    <Form busy={busy} onSubmit={onSubmit} className="flex max-w-md flex-col gap-5">
      <FormProblemAlert problem={problem} />
      <Field label="Current password" error={errorOf('oldPassword')}>
        <PasswordInput large {...form.register('oldPassword')} autoComplete="current-password" autoFocus />
      </Field>
      <NewPasswordField
        label="New password"
        registration={form.register('newPassword')}
        value={form.watch('newPassword')}
        personal={personal}
        error={errorOf('newPassword')}
      />
      <div className="flex gap-2">
        <SubmitButton busy={busy}>Save password</SubmitButton>
        <Button onClick={onClose}>Cancel</Button>
      </div>
    </Form>
  );
}

function toSchema(personal: readonly string[]) {
  return z.object({
    oldPassword: z.string().min(1, 'Your current password is needed'),
    newPassword: z.string().superRefine((password, context) => {
      const { problem } = advisePassword(password, personal);
      if (problem) context.addIssue({ code: 'custom', message: problem });
    }),
  });
}
