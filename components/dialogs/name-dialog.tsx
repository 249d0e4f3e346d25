'use client';
import { useId } from 'react';
import type { z } from 'zod';
import { FormProblemAlert } from '#components/door/form-problem.tsx';
import { useDoorForm } from '#components/door/use-door-form.ts';
import { Button } from '#components/ui/button.tsx';
import { Field } from '#components/ui/form/field.tsx';
import { Form } from '#components/ui/form/form.tsx';
import { Input } from '#components/ui/form/input.tsx';
import { SubmitButton } from '#components/ui/form/submit-button.tsx';
import { Dialog } from '#components/ui/overlay/dialog.tsx';

export type NameDialogProps = {
  title: string;
  description?: string;
  schema: z.ZodType<unknown, { name: string }>;
  /** As it is now. */
  name: string;
  onSave: (name: string) => Promise<unknown>;
  onClose: () => void;
};

/** Another name for something of one's own. */
export function NameDialog({ title, description, schema, name, onSave, onClose }: NameDialogProps) {
  const id = useId();
  const { form, onSubmit, problem, errorOf, busy } = useDoorForm(
    schema,
    ['name'],
    async (values) => {
      await onSave(values.name);
      onClose();
    },
    { defaultValues: { name } },
  );
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={title}
      description={description}
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
