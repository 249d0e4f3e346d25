'use client';
import { FormProblemAlert } from '#components/door/form-problem.tsx';
import { useDoorForm } from '#components/door/use-door-form.ts';
import { Button } from '#components/ui/button.tsx';
import { toast } from '#components/ui/feedback/toast.tsx';
import { Field } from '#components/ui/form/field.tsx';
import { Form } from '#components/ui/form/form.tsx';
import { Input } from '#components/ui/form/input.tsx';
import { SubmitButton } from '#components/ui/form/submit-button.tsx';
import { Dialog } from '#components/ui/overlay/dialog.tsx';
import { useFormDraft } from '#lib/client/api/use-form-draft.ts';
import { useEditClient } from '#lib/client/clients/clients.ts';
import type { ClientRow } from '#lib/protocol/answers/clients.ts';
import { clientDetails } from './client-details.ts';

export type EditClientDialogProps = { projectId: string; client: ClientRow; onClose: () => void };

/** What a client is called and for. What it may do is its membership's. */
export function EditClientDialog({ projectId, client, onClose }: EditClientDialogProps) {
  const edit = useEditClient(projectId);
  const { form, onSubmit, problem, errorOf, busy } = useDoorForm(
    clientDetails,
    ['name', 'description'],
    async ({ name, description }) => {
      await edit.mutateAsync({
        id: client.id,
        name: name.trim(),
        description: description.trim(),
        hadDescription: Boolean(client.description),
      });
      form.reset({ name, description });
      toast({ title: 'The client is saved' });
      onClose();
    },
    { defaultValues: { name: client.name, description: client.description ?? '' } },
  );
  useFormDraft(form, `client:${client.id}`);
  const cancel = () => {
    form.reset();
    onClose();
  };
  return (
    <Dialog open onOpenChange={(open) => open || onClose()} title={`Edit ${client.name || 'this client'}`}>
      <Form busy={busy} onSubmit={onSubmit} className="flex flex-col gap-4 pt-1">
        <FormProblemAlert problem={problem} />
        <Field label="Name" error={errorOf('name')}>
          <Input {...form.register('name')} autoComplete="off" />
        </Field>
        <Field label="Purpose" optional error={errorOf('description')}>
          <Input {...form.register('description')} autoComplete="off" />
        </Field>
        <div className="flex flex-wrap justify-end gap-2 pt-1">
          <Button onClick={cancel}>Cancel</Button>
          <SubmitButton busy={busy}>Save client</SubmitButton>
        </div>
      </Form>
    </Dialog>
  );
}
