'use client';
import { useState } from 'react';
import { FormProblemAlert } from '#components/door/form-problem.tsx';
import { useDoorForm } from '#components/door/use-door-form.ts';
import { Button } from '#components/ui/button.tsx';
import { Field } from '#components/ui/form/field.tsx';
import { Form } from '#components/ui/form/form.tsx';
import { Input } from '#components/ui/form/input.tsx';
import { Select } from '#components/ui/form/select.tsx';
import { SubmitButton } from '#components/ui/form/submit-button.tsx';
import { Dialog } from '#components/ui/overlay/dialog.tsx';
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
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title={`A new secret for ${client.name}`}
      description="It is shown once, right after this."
    >
      <Form busy={busy} onSubmit={onSubmit} className="flex flex-col gap-4 pt-1">
        <FormProblemAlert problem={problem} />
        <Field label="Name" error={errorOf('name')} description="Where it is used: “Night job”.">
          <Input {...form.register('name')} autoComplete="off" />
        </Field>
        <Field label="Ends">
          <Select value={days} onValueChange={setDays} options={ENDS} className="w-full" />
        </Field>
        <div className="flex flex-wrap justify-end gap-2 pt-1">
          <Button onClick={onClose}>Cancel</Button>
          <SubmitButton busy={busy}>Make the secret</SubmitButton>
        </div>
      </Form>
    </Dialog>
  );
}
