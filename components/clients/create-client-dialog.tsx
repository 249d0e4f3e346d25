'use client';
import { useState } from 'react';
import { FormProblemAlert } from '#components/door/form-problem.tsx';
import { useDoorForm } from '#components/door/use-door-form.ts';
import { Button } from '#components/ui/button.tsx';
import { AsCode } from '#components/ui/display/as-code.tsx';
import { Alert } from '#components/ui/feedback/alert.tsx';
import { Field } from '#components/ui/form/field.tsx';
import { Form } from '#components/ui/form/form.tsx';
import { Input } from '#components/ui/form/input.tsx';
import { Select } from '#components/ui/form/select.tsx';
import { SubmitButton } from '#components/ui/form/submit-button.tsx';
import { TextArea } from '#components/ui/form/text-area.tsx';
import { Dialog } from '#components/ui/overlay/dialog.tsx';
import { usePolicies } from '#lib/client/access/policies.ts';
import { useFormDraft } from '#lib/client/api/use-form-draft.ts';
import { clientForm, toItems } from '#lib/client/clients/client-form.ts';
import { type ClientSecret, type NewClient, useCreateClient } from '#lib/client/clients/clients.ts';
import { usePolicyRequired } from '#lib/client/frame/policy-required.ts';
import type { Grant } from '#lib/protocol/clients/bounds.ts';

const KINDS = [
  { value: 'program', label: 'A program that acts for itself' },
  { value: 'app', label: 'An app that people sign in to' },
] as const;
type Kind = (typeof KINDS)[number]['value'];
/** No more than what each needs. */
const GRANTS: Record<Kind, Grant[]> = {
  program: ['client_credentials'],
  app: ['authorization_code', 'refresh_token'],
};
const typed = clientForm.pick({ name: true, description: true, redirectUris: true });
type Typed = { name?: string; description?: string; redirectUris?: string };

const UNSAID = '';
const NONE = 'none';

export type CreateClientDialogProps = {
  projectId: string;
  onCreated: (client: ClientSecret) => void;
  onClose: () => void;
};

/** Name, purpose and access; the same request as code, before it is made. */
export function CreateClientDialog({ projectId, onCreated, onClose }: CreateClientDialogProps) {
  const create = useCreateClient(projectId);
  const policies = usePolicies(projectId);
  const isRequired = usePolicyRequired();
  const [policy, setPolicy] = useState<string>(UNSAID);
  const [kind, setKind] = useState<Kind>('program');
  const toBody = ({ name, description, redirectUris = '' }: Typed): NewClient => ({
    name: name?.trim() ?? '',
    ...(description?.trim() && { description: description.trim() }),
    grantType: GRANTS[kind],
    ...(kind === 'app' && redirectUris.trim() && { redirectUris: toItems(redirectUris) }),
    ...(policy !== NONE && policy !== UNSAID && { accessPolicy: { reference: policy } }),
  });
  const { form, onSubmit, problem, errorOf, busy } = useDoorForm(
    typed,
    ['name', 'description', 'redirectUris'],
    async (values) => {
      if (policy === UNSAID) return;
      const made = await create.mutateAsync(toBody(values));
      form.reset();
      onCreated(made);
    },
    { defaultValues: { name: '', description: '', redirectUris: '' } },
  );
  useFormDraft(form, `new-client:${projectId}`);
  const values = form.watch();
  const options = [
    { value: UNSAID, label: 'Choose what it may do' },
    ...(policies.data ?? []).map(({ reference, name }) => ({ value: reference, label: name })),
    ...(isRequired ? [] : [{ value: NONE, label: 'Everything (no policy)' }]),
  ];
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title="New client"
      description="Its secret is shown once, right after this."
    >
      <Form busy={busy} onSubmit={onSubmit} className="flex flex-col gap-4 pt-1">
        <FormProblemAlert problem={problem} />
        <Field label="Name" error={errorOf('name')} description="The program that uses it: “Lab results feed”.">
          <Input {...form.register('name')} autoComplete="off" />
        </Field>
        <Field label="Purpose" optional error={errorOf('description')}>
          <Input {...form.register('description')} autoComplete="off" />
        </Field>
        <Field label="What it is">
          <Select value={kind} onValueChange={setKind} options={KINDS} className="w-full" />
        </Field>
        {kind === 'app' ? (
          <Field
            label="Redirect addresses"
            error={errorOf('redirectUris')}
            description="Exactly where a browser goes back to after sign-in, one a line."
          >
            <TextArea {...form.register('redirectUris')} autoComplete="off" isCode />
          </Field>
        ) : null}
        <Field
          label="Access policy"
          error={
            form.formState.isSubmitted && policy === UNSAID
              ? isRequired
                ? 'Choose a policy: this project requires one'
                : 'Choose a policy, or say that it may do everything'
              : undefined
          }
        >
          <Select value={policy} onValueChange={setPolicy} options={options} className="w-full" />
        </Field>
        {policy === NONE ? (
          <Alert tone="warn">Without a policy it reads and writes every record of this project.</Alert>
        ) : null}
        <AsCode
          label="This request as code"
          call={() => ({ path: `/admin/projects/${projectId}/client`, body: toBody(values) })}
        />
        <div className="flex flex-wrap justify-end gap-2 pt-1">
          <Button
            onClick={() => {
              form.reset();
              onClose();
            }}
          >
            Cancel
          </Button>
          <SubmitButton busy={busy}>Create client</SubmitButton>
        </div>
      </Form>
    </Dialog>
  );
}
