'use client';
import { useState } from 'react';
import { NewSecretDialog } from '#components/dialogs/new-secret-dialog.tsx';
import { useDoorForm } from '#components/door/use-door-form.ts';
import { Field } from '#components/ui/form/field.tsx';
import { Input } from '#components/ui/form/input.tsx';
import { Select } from '#components/ui/form/select.tsx';
import type { ClientSecret } from '#lib/client/clients/clients.ts';
import { useAddSecret } from '#lib/client/clients/secrets.ts';
import type { ClientRow } from '#lib/protocol/answers/clients.ts';
import { newSecretRequest } from '#lib/protocol/requests/create-client.ts';

const ENDS = [
  { value: '90', label: 'In 90 days' },
  { value: '180', label: 'In 180 days' },
  { value: '365', label: 'In a year' },
  { value: '', label: 'Never' },
];
const DAY_MS = 86_400_000;
const nameOnly = newSecretRequest.pick({ name: true });

export type SecretFormProps = {
  projectId: string;
  client: ClientRow;
  onMade: (secret: ClientSecret) => void;
  onClose: () => void;
};

export function SecretForm({ projectId, client, onMade, onClose }: SecretFormProps) {
  const add = useAddSecret(projectId, client.id);
  const [days, setDays] = useState('180');
  const { form, onSubmit, problem, errorOf, busy } = useDoorForm(
    nameOnly,
    ['name'],
    async ({ name }) => {
      const expiresAt = days === '' ? undefined : new Date(Date.now() + Number(days) * DAY_MS).toISOString();
      const { secret } = await add.mutateAsync({ name, expiresAt });
      onMade({ id: client.id, name: client.name, secret });
    },
    { defaultValues: { name: '' } },
  );
  return (
    <NewSecretDialog
      title={`A new secret for ${client.name}`}
      submit="Make the secret"
      busy={busy}
      problem={problem}
      onSubmit={onSubmit}
      onClose={onClose}
    >
      <Field label="Name" error={errorOf('name')} description="Where it is used: “Night job”.">
        <Input {...form.register('name')} autoComplete="off" />
      </Field>
      <Field label="Ends">
        <Select value={days} onValueChange={setDays} options={ENDS} className="w-full" />
      </Field>
    </NewSecretDialog>
  );
}
