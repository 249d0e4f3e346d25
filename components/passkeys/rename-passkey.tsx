'use client';
import { useId } from 'react';
import { FormProblemAlert } from '#components/door/form-problem.tsx';
import { useDoorForm } from '#components/door/use-door-form.ts';
import { Button } from '#components/ui/button.tsx';
import { Field } from '#components/ui/form/field.tsx';
import { Form } from '#components/ui/form/form.tsx';
import { Input } from '#components/ui/form/input.tsx';
import { SubmitButton } from '#components/ui/form/submit-button.tsx';
import { Dialog } from '#components/ui/overlay/dialog.tsx';
import { useRenamePasskey } from '#lib/client/passkeys/passkeys.ts';
import type { Passkey } from '#lib/protocol/passkeys/answers.ts';
import { renamePasskeyRequest } from '#lib/protocol/passkeys/requests.ts';

export function RenamePasskey({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) {
  const rename = useRenamePasskey();
  const id = useId();
  const { form, onSubmit, problem, errorOf, busy } = useDoorForm(
    renamePasskeyRequest,
    ['name'],
    async ({ name }) => {
      await rename.mutateAsync({ id: passkey.id, name });
      onClose();
    },
    { defaultValues: { name: passkey.name } },
  );
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Rename the passkey"
      keep
      busy={busy}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <SubmitButton form={id} busy={busy}>
            Save the name
          </SubmitButton>
        </>
      }
    >
      <Form id={id} busy={busy} onSubmit={onSubmit} className="flex flex-col gap-4">
        <FormProblemAlert problem={problem} />
        <Field label="Name" error={errorOf('name')}>
          <Input {...form.register('name')} autoComplete="off" />
        </Field>
      </Form>
    </Dialog>
  );
}
