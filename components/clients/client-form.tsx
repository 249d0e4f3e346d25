'use client';
import { useState } from 'react';
import { FormProblemAlert } from '#components/door/form-problem.tsx';
import { useDoorForm } from '#components/door/use-door-form.ts';
import { Button } from '#components/ui/button.tsx';
import { toast } from '#components/ui/feedback/toast.tsx';
import { Field } from '#components/ui/form/field.tsx';
import { Form } from '#components/ui/form/form.tsx';
import { Input } from '#components/ui/form/input.tsx';
import { SubmitButton } from '#components/ui/form/submit-button.tsx';
import { TextArea } from '#components/ui/form/text-area.tsx';
import { useFormDraft } from '#lib/client/api/use-form-draft.ts';
import { type StoredClient, useSaveClient } from '#lib/client/clients/client.ts';
import { CLIENT_FIELDS, clientForm, toEdit, toForm } from '#lib/client/clients/client-form.ts';
import type { Reference } from '#lib/protocol/fhir/types.ts';
import { GrantsField } from './grants-field.tsx';
import { OwnerField } from './owner-field.tsx';

type Props = { projectId: string; client: StoredClient; hasLeft: boolean; onClose: () => void };

const LISTS = [
  {
    name: 'redirectUris',
    label: 'Redirect addresses',
    text: 'Exactly where a browser goes back to after sign-in, one a line.',
  },
  {
    name: 'allowedOrigin',
    label: 'Allowed origins',
    text: 'Of which sites its pages are, such as https://app.example.com. Empty: of any.',
  },
  {
    name: 'allowedAddress',
    label: 'Allowed addresses',
    text: 'IP addresses or networks from which its tokens are made and used, such as 203.0.113.0/24. Empty: from anywhere.',
  },
  {
    name: 'allowedScope',
    label: 'Allowed scopes',
    text: 'More than these its tokens never say; without a scope for records they reach none. Empty: any.',
  },
] as const;

export function ClientForm({ projectId, client, hasLeft, onClose }: Props) {
  const save = useSaveClient(projectId);
  const [owner, setOwner] = useState<Reference | undefined>(client.owner);
  const [opened, setOpened] = useState(false);
  const [grants, setGrants] = useState<string[]>(client.grantType ?? []);
  const { form, onSubmit, problem, errorOf, busy } = useDoorForm(
    clientForm,
    CLIENT_FIELDS,
    async (values) => {
      await save.mutateAsync({ client, edit: { ...toEdit(values), owner, grantType: grants } });
      form.reset(values);
      toast({ title: 'The client is saved' });
      onClose();
    },
    { defaultValues: toForm(client) },
  );
  useFormDraft(form, `client:${client.id}`);
  const cancel = () => {
    form.reset();
    onClose();
  };
  const isWrong = LISTS.some(({ name }) => errorOf(name)) || errorOf('launchUri') !== undefined;
  return (
    <Form busy={busy} onSubmit={onSubmit} className="flex flex-col gap-4 pt-1">
      <FormProblemAlert problem={problem} />
      <Field label="Name" error={errorOf('name')}>
        <Input {...form.register('name')} autoComplete="off" />
      </Field>
      <Field label="Purpose" optional error={errorOf('description')}>
        <Input {...form.register('description')} autoComplete="off" />
      </Field>
      <OwnerField
        projectId={projectId}
        owner={owner}
        hasLeft={hasLeft && owner?.reference === client.owner?.reference}
        onChoose={setOwner}
      />
      <details
        className="rounded-lg border border-line"
        open={opened || isWrong}
        onToggle={(event) => setOpened(event.currentTarget.open)}
      >
        <summary className="cursor-pointer rounded-lg px-4 py-2.5 font-medium text-sm hover:bg-hover">
          Sign-in and limits
        </summary>
        <div className="flex flex-col gap-4 border-line border-t px-4 py-4">
          <GrantsField chosen={grants} onChoose={setGrants} />
          <Field
            label="Launch address"
            optional
            error={errorOf('launchUri')}
            description="Where the app is opened about a patient (SMART App Launch); then it can be launched from here."
          >
            <Input {...form.register('launchUri')} autoComplete="off" spellCheck={false} className="font-mono" />
          </Field>
          {LISTS.map(({ name, label, text }) => (
            <Field key={name} label={label} optional error={errorOf(name)} description={text}>
              <TextArea {...form.register(name)} autoComplete="off" autoCapitalize="off" isCode />
            </Field>
          ))}
        </div>
      </details>
      <div className="flex flex-wrap justify-end gap-2 pt-1">
        <Button onClick={cancel}>Cancel</Button>
        <SubmitButton busy={busy}>Save client</SubmitButton>
      </div>
    </Form>
  );
}
