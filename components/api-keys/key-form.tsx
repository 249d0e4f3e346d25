'use client';
import { useState } from 'react';
import { NewSecretDialog } from '#components/dialogs/new-secret-dialog.tsx';
import { useDoorForm } from '#components/door/use-door-form.ts';
import { Field } from '#components/ui/form/field.tsx';
import { Input } from '#components/ui/form/input.tsx';
import { Select } from '#components/ui/form/select.tsx';
import { useAddKey } from '#lib/client/api-keys/keys.ts';
import type { NewApiKey } from '#lib/protocol/api-keys/answers.ts';
import { newApiKeyRequest } from '#lib/protocol/api-keys/request.ts';

const ENDS = [
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
];
const DAY_MS = 86_400_000;
const typed = newApiKeyRequest.pick({ name: true, scope: true });

export type KeyFormProps = { projectId: string; onMade: (key: NewApiKey) => void; onClose: () => void };

export function KeyForm({ projectId, onMade, onClose }: KeyFormProps) {
  const add = useAddKey(projectId);
  const [days, setDays] = useState('90');
  const { form, onSubmit, problem, errorOf, busy } = useDoorForm(
    typed,
    ['name', 'scope'],
    async ({ name, scope }) => {
      const expiresAt = new Date(Date.now() + Number(days) * DAY_MS).toISOString();
      onMade(await add.mutateAsync({ name, scope, expiresAt }));
    },
    { defaultValues: { name: '', scope: 'user/*.rs' } },
  );
  return (
    <NewSecretDialog
      title="A new API key"
      submit="Make the key"
      busy={busy}
      problem={problem}
      onSubmit={onSubmit}
      onClose={onClose}
    >
      <Field label="Name" error={errorOf('name')} description="What uses it: “Monthly report”.">
        <Input {...form.register('name')} autoComplete="off" />
      </Field>
      <Field
        label="Scopes"
        error={errorOf('scope')}
        description="What of your rights it has: user/*.rs reads and searches all, user/Patient.cruds is all of patients."
      >
        <Input {...form.register('scope')} autoComplete="off" spellCheck={false} className="font-mono" />
      </Field>
      <Field label="Ends">
        <Select value={days} onValueChange={setDays} options={ENDS} className="w-full" />
      </Field>
    </NewSecretDialog>
  );
}
