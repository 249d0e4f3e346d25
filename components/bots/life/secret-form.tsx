'use client';
import { z } from 'zod';
import { FormProblemAlert } from '#components/door/form-problem.tsx';
import { useDoorForm } from '#components/door/use-door-form.ts';
import { Button } from '#components/ui/button.tsx';
import { toast } from '#components/ui/feedback/toast.tsx';
import { Field } from '#components/ui/form/field.tsx';
import { Form } from '#components/ui/form/form.tsx';
import { Input } from '#components/ui/form/input.tsx';
import { PasswordInput } from '#components/ui/form/password-input.tsx';
import { SubmitButton } from '#components/ui/form/submit-button.tsx';
import { Dialog } from '#components/ui/overlay/dialog.tsx';
import { useHold } from '#lib/client/api/use-draft.ts';
import { usePutBotSecret } from '#lib/client/bots/bot-secrets.ts';
import { secretNameRequest } from '#lib/protocol/requests/project-settings.ts';

const schema = z.object({
  name: secretNameRequest,
  valueString: z.string().min(1, 'A secret needs a value').max(32_768, 'At most 32,768 characters'),
});

export type BotSecretFormProps = {
  projectId: string;
  botId: string;
  /** Empty: a new one. */
  name: string;
  /** The bot's own, which a new one must not have: a value that is replaced cannot be brought back. */
  taken: readonly string[];
  onClose: () => void;
};

export function BotSecretForm({ projectId, botId, name, taken, onClose }: BotSecretFormProps) {
  const put = usePutBotSecret(projectId, botId);
  const isNew = name === '';
  const { form, onSubmit, problem, errorOf, busy } = useDoorForm(
    schema.refine((values) => !isNew || !taken.includes(values.name), {
      path: ['name'],
      message: 'The bot has a secret of this name already; use Replace',
    }),
    ['name', 'valueString'],
    async (values) => {
      await put.mutateAsync({ name: values.name, value: values.valueString });
      toast({ title: `${values.name} is kept` });
      onClose();
    },
    { defaultValues: { name, valueString: '' } },
  );
  useHold(form.watch('valueString') !== '');
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title={isNew ? 'Add a secret of this bot' : `Set ${name} for this bot`}
      description="This bot alone gets the value, from its next run on."
    >
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
        <Field label="Value" error={errorOf('valueString')}>
          <PasswordInput {...form.register('valueString')} autoComplete="off" />
        </Field>
        <div className="flex justify-end gap-2 pt-1">
          <Button onClick={onClose}>Cancel</Button>
          <SubmitButton busy={busy}>Keep secret</SubmitButton>
        </div>
      </Form>
    </Dialog>
  );
}
