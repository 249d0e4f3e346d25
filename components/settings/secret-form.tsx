'use client';
import { z } from 'zod';
import { FormProblemAlert } from '#components/door/form-problem.tsx';
import { useDoorForm } from '#components/door/use-door-form.ts';
import { Button } from '#components/ui/button.tsx';
import { toast } from '#components/ui/feedback/toast.tsx';
import { Field } from '#components/ui/form/field.tsx';
import { Form } from '#components/ui/form/form.tsx';
import { Input } from '#components/ui/form/input.tsx';
import { SecretArea } from '#components/ui/form/secret-area.tsx';
import { SubmitButton } from '#components/ui/form/submit-button.tsx';
import { Dialog } from '#components/ui/overlay/dialog.tsx';
import { useHold } from '#lib/client/api/use-draft.ts';
import { withoutLineEnd } from '#lib/client/settings/without-line-end.ts';
import { secretNameRequest } from '#lib/protocol/requests/project-settings.ts';

const schema = z.object({
  name: secretNameRequest,
  valueString: z.string().min(1, 'A secret needs a value').max(32_768, 'At most 32,768 characters'),
});

export type SecretFormProps = {
  title: string;
  description: string;
  /** Resolves when it is kept. */
  onKeep: (secret: { name: string; value: string }) => Promise<unknown>;
  /** Empty: a new one. */
  name: string;
  /** Names that have a value here, which a new one must not have: a value that is replaced cannot be brought back. */
  taken: readonly string[];
  onClose: () => void;
};

/** A secret of a project or of a bot: set, or replaced without being seen. */
export function SecretForm({ title, description, onKeep, name, taken, onClose }: SecretFormProps) {
  const isNew = name === '';
  const isReplacing = taken.includes(name);
  const { form, onSubmit, problem, errorOf, busy } = useDoorForm(
    schema.refine((values) => !isNew || !taken.includes(values.name), {
      path: ['name'],
      message: 'There is a secret of this name already; use Replace',
    }),
    ['name', 'valueString'],
    async (values) => {
      await onKeep({ name: values.name, value: withoutLineEnd(values.valueString) });
      toast({ title: isReplacing ? `${values.name} is replaced` : `${values.name} is kept` });
      onClose();
    },
    { defaultValues: { name, valueString: '' } },
  );
  useHold(form.watch('valueString') !== '');
  return (
    <Dialog open onOpenChange={(open) => open || onClose()} title={title} description={description}>
      <Form busy={busy} onSubmit={onSubmit} className="flex flex-col gap-4 pt-1">
        <FormProblemAlert problem={problem} />
        {isNew ? (
          <Field label="Name" error={errorOf('name')} description="Letters, digits, _ . and -: LAB_API_KEY">
            <Input
              {...form.register('name')}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              className="font-mono"
            />
          </Field>
        ) : null}
        <Field
          label="Value"
          error={errorOf('valueString')}
          description="Kept as it is, with its line ends. Shift and Enter begin a line."
        >
          <SecretArea {...form.register('valueString')} />
        </Field>
        <div className="flex justify-end gap-2 pt-1">
          <Button onClick={onClose}>Cancel</Button>
          <SubmitButton busy={busy}>{isReplacing ? 'Replace secret' : 'Keep secret'}</SubmitButton>
        </div>
      </Form>
    </Dialog>
  );
}
