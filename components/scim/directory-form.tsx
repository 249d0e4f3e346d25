'use client';
import { useState } from 'react';
import { FormProblemAlert } from '#components/door/form-problem.tsx';
import { useDoorForm } from '#components/door/use-door-form.ts';
import { Button } from '#components/ui/button.tsx';
import { toast } from '#components/ui/feedback/toast.tsx';
import { Field } from '#components/ui/form/field.tsx';
import { Form } from '#components/ui/form/form.tsx';
import { Input } from '#components/ui/form/input.tsx';
import { Select } from '#components/ui/form/select.tsx';
import { SubmitButton } from '#components/ui/form/submit-button.tsx';
import { Dialog } from '#components/ui/overlay/dialog.tsx';
import { type ToldToken, useConnect, useEditConnection } from '#lib/client/scim/connections.ts';
import type { ScimConnectionRow } from '#lib/protocol/answers/scim-connections.ts';
import { scimConnectionName } from '#lib/protocol/scim/connection.ts';

export type DirectoryFormProps = {
  projectId: string;
  /** Absent: a new one. */
  row?: ScimConnectionRow;
  onConnected?: (token: ToldToken) => void;
  onClose: () => void;
};

const MAIL = [
  { value: 'no', label: 'No mail: the directory tells them' },
  { value: 'yes', label: 'An invitation by mail' },
];

export function DirectoryForm({ projectId, row, onConnected, onClose }: DirectoryFormProps) {
  const connect = useConnect(projectId);
  const edit = useEditConnection(projectId);
  const [mail, setMail] = useState(row?.sendEmail ? 'yes' : 'no');
  const { form, onSubmit, problem, errorOf, busy } = useDoorForm(
    scimConnectionName,
    ['name'],
    async ({ name }) => {
      const wanted = { name, sendEmail: mail === 'yes' };
      if (!row) return onConnected?.(await connect.mutateAsync(wanted));
      await edit.mutateAsync({ id: row.id, ...wanted });
      toast({ title: `${name} is saved` });
      onClose();
    },
    { defaultValues: { name: row?.name ?? '' } },
  );
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title={row ? `Edit ${row.name}` : 'Connect a directory'}
      description={row ? undefined : 'Its token is shown once, right after this.'}
    >
      <Form busy={busy} onSubmit={onSubmit} className="flex flex-col gap-4 pt-1">
        <FormProblemAlert problem={problem} />
        <Field label="Name" error={errorOf('name')} description="What it does is told with this name: “Okta”.">
          <Input {...form.register('name')} autoComplete="off" />
        </Field>
        <Field label="Whom it adds gets">
          <Select value={mail} onValueChange={setMail} options={MAIL} className="w-full" />
        </Field>
        <div className="flex flex-wrap justify-end gap-2 pt-1">
          <Button onClick={onClose}>Cancel</Button>
          <SubmitButton busy={busy}>{row ? 'Save directory' : 'Connect directory'}</SubmitButton>
        </div>
      </Form>
    </Dialog>
  );
}
