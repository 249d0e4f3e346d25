'use client';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { z } from 'zod';
import { FormProblemAlert } from '#components/door/form-problem.tsx';
import { useDoorForm } from '#components/door/use-door-form.ts';
import { Button } from '#components/ui/button.tsx';
import { AsCode } from '#components/ui/display/as-code.tsx';
import { Field } from '#components/ui/form/field.tsx';
import { Form } from '#components/ui/form/form.tsx';
import { Input } from '#components/ui/form/input.tsx';
import { SubmitButton } from '#components/ui/form/submit-button.tsx';
import { Dialog } from '#components/ui/overlay/dialog.tsx';
import { useFormDraft } from '#lib/client/api/use-form-draft.ts';
import { type NewBot, useCreateBot } from '#lib/client/bots/bots.ts';
import { usePolicyRequired } from '#lib/client/frame/policy-required.ts';
import { createBotRequest } from '#lib/protocol/requests/create-bot.ts';
import { PolicyField } from './policy-field.tsx';

const schema = z.object({
  name: createBotRequest.shape.name,
  description: z.string().max(4096),
  system: z.string().trim(),
  value: z.string().trim(),
});
const FIELDS = ['name', 'description', 'system', 'value'] as const;

export type CreateBotDialogProps = { projectId: string; open: boolean; onOpenChange: (open: boolean) => void };

/** A bot with the server's starting code; its editor opens. */
export function CreateBotDialog({ projectId, open, onOpenChange }: CreateBotDialogProps) {
  const router = useRouter();
  const create = useCreateBot(projectId);
  const isRequired = usePolicyRequired();
  const [policy, setPolicy] = useState<string>();
  const toRequest = (given: z.input<typeof schema>) => ({
    ...toBody(given),
    ...(policy && { accessPolicy: { reference: policy } }),
  });
  const isUnsaid = isRequired && policy === undefined;
  const { form, onSubmit, problem, errorOf, busy } = useDoorForm(
    schema,
    FIELDS,
    async (given) => {
      if (isUnsaid) return;
      const bot = await create.mutateAsync(toRequest(given));
      form.reset();
      router.push(`/p/${projectId}/bots/${bot.id}`);
    },
    { defaultValues: { name: '', description: '', system: '', value: '' } },
  );
  useFormDraft(form, `new-bot:${projectId}`);
  const values = form.watch();
  const cancel = () => {
    form.reset();
    onOpenChange(false);
  };
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="New bot"
      description="It gets a membership of its own to run under, and code to start from."
    >
      <Form busy={busy} onSubmit={onSubmit} className="flex flex-col gap-4 pt-1">
        <FormProblemAlert problem={problem} />
        <Field label="Name" error={errorOf('name')}>
          <Input {...form.register('name')} autoComplete="off" />
        </Field>
        <Field label="Description" optional error={errorOf('description')}>
          <Input {...form.register('description')} autoComplete="off" />
        </Field>
        <div className="grid gap-4 sm:grid-cols-2">
          <Field label="Identifier system" optional error={errorOf('system')}>
            <Input {...form.register('system')} autoComplete="off" placeholder="https://clinic.example" />
          </Field>
          <Field label="Identifier value" optional error={errorOf('value')}>
            <Input {...form.register('value')} autoComplete="off" placeholder="intake" />
          </Field>
        </div>
        <p className="text-[0.8125rem] text-muted">
          With an identifier, callers reach the bot by name and need not know its id.
        </p>
        <PolicyField projectId={projectId} value={policy} onChange={setPolicy} isTried={form.formState.isSubmitted} />
        <AsCode
          label="This bot as code"
          call={() => ({ path: `/admin/projects/${projectId}/bot`, body: toRequest(values) })}
        />
        <div className="flex justify-end gap-2 pt-1">
          <Button onClick={cancel}>Cancel</Button>
          <SubmitButton busy={busy}>Create bot</SubmitButton>
        </div>
      </Form>
    </Dialog>
  );
}

function toBody({ name, description, system, value }: z.input<typeof schema>): NewBot {
  const [key, space] = [value.trim(), system.trim()];
  return {
    name: name.trim(),
    ...(description.trim() && { description: description.trim() }),
    ...(key && { identifier: [{ ...(space && { system: space }), value: key }] }),
  };
}
