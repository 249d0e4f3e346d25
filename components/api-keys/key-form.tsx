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
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title="A new API key"
      description="It is shown once, right after this."
    >
      <Form busy={busy} onSubmit={onSubmit} className="flex flex-col gap-4 pt-1">
        <FormProblemAlert problem={problem} />
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
        <div className="flex flex-wrap justify-end gap-2 pt-1">
          <Button onClick={onClose}>Cancel</Button>
          <SubmitButton busy={busy}>Make the key</SubmitButton>
        </div>
      </Form>
    </Dialog>
  );
}
