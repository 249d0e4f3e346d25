'use client';
import { useState } from 'react';
import { NewSecretDialog } from '#components/dialogs/new-secret-dialog.tsx';
import { useDoorForm } from '#components/door/use-door-form.ts';
import { Field } from '#components/ui/form/field.tsx';
import { Input } from '#components/ui/form/input.tsx';
import { Select } from '#components/ui/form/select.tsx';
import { useAddRegistrationToken } from '#lib/client/app-registration/tokens.ts';
import type { NewRegistrationTokenAnswer } from '#lib/protocol/answers/clients.ts';
import { newRegistrationToken } from '#lib/protocol/clients/registration.ts';

const ENDS = [
  { value: '1', label: 'In a day' },
  { value: '7', label: 'In a week' },
  { value: '30', label: 'In 30 days' },
  { value: '365', label: 'In a year' },
];
const MOST = ['1', '10', '100', '1000'].map((value) => ({
  value,
  label: value === '1' ? 'One app' : `${Number(value).toLocaleString('en')} apps`,
}));
const typed = newRegistrationToken.pick({ name: true });

type Props = { projectId: string; onMade: (token: NewRegistrationTokenAnswer) => void; onClose: () => void };

export function TokenForm({ projectId, onMade, onClose }: Props) {
  const add = useAddRegistrationToken(projectId);
  const [days, setDays] = useState('7');
  const [most, setMost] = useState('1');
  const { form, onSubmit, problem, errorOf, busy } = useDoorForm(
    typed,
    ['name'],
    async ({ name }) => onMade(await add.mutateAsync({ name, days: Number(days), most: Number(most) })),
    { defaultValues: { name: '' } },
  );
  return (
    <NewSecretDialog
      title="A new registration token"
      submit="Make the token"
      busy={busy}
      problem={problem}
      onSubmit={onSubmit}
      onClose={onClose}
    >
      <Field label="Name" error={errorOf('name')} description="For whom it is: “Partner portal”.">
        <Input {...form.register('name')} autoComplete="off" />
      </Field>
      <Field label="Good for">
        <Select value={most} onValueChange={setMost} options={MOST} className="w-full" />
      </Field>
      <Field label="Ends">
        <Select value={days} onValueChange={setDays} options={ENDS} className="w-full" />
      </Field>
    </NewSecretDialog>
  );
}
