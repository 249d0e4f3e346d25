'use client';
import Link from 'next/link';
import { useState } from 'react';
import { z } from 'zod';
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
import { useSaveBot } from '#lib/client/bots/bots.ts';
import type { Bot, Stored } from '#lib/protocol/fhir/types.ts';
import { createBotRequest } from '#lib/protocol/requests/create-bot.ts';
import { DeleteBotDialog } from './delete-bot-dialog.tsx';

const TIMEOUT_TEXT = 'Whole seconds from 1 to 900';
const schema = z.object({
  name: createBotRequest.shape.name,
  description: z.string().trim().max(4096),
  system: z.string().trim(),
  value: z.string().trim(),
  timeout: z.string().regex(/^(?:[1-9]\d?|[1-8]\d\d|900)?$/, TIMEOUT_TEXT),
});
const FIELDS = ['name', 'description', 'system', 'value', 'timeout'] as const;

export type BotSettingsProps = {
  projectId: string;
  bot: Stored<Bot>;
  open: boolean;
  onOpenChange: (open: boolean) => void;
};

/** What a bot is called, how it is reached and how long it may take. */
export function BotSettings({ projectId, bot, open, onOpenChange }: BotSettingsProps) {
  const save = useSaveBot(projectId);
  const [deleting, setDeleting] = useState(false);
  const [first, ...others] = bot.identifier ?? [];
  const { form, onSubmit, problem, errorOf, busy } = useDoorForm(
    schema,
    FIELDS,
    async ({ name, description, system, value, timeout }) => {
      const identifier = value ? [{ ...first, system: system || undefined, value }, ...others] : others;
      await save.mutateAsync({
        bot,
        details: {
          name,
          description: description || undefined,
          identifier: identifier.length > 0 ? identifier : undefined,
          timeout: timeout ? Number(timeout) : undefined,
        },
      });
      form.reset({ name, description, system, value, timeout });
      toast({ title: 'Settings saved' });
      onOpenChange(false);
    },
    {
      values: {
        name: bot.name ?? '',
        description: bot.description ?? '',
        system: first?.system ?? '',
        value: first?.value ?? '',
        timeout: bot.timeout ? String(bot.timeout) : '',
      },
      resetOptions: { keepDirtyValues: true },
    },
  );
  useFormDraft(form, `bot-settings:${bot.id}`);
  const cancel = () => {
    form.reset();
    onOpenChange(false);
  };
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="Bot settings">
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
            <Input {...form.register('system')} autoComplete="off" />
          </Field>
          <Field label="Identifier value" optional error={errorOf('value')}>
            <Input {...form.register('value')} autoComplete="off" />
          </Field>
        </div>
        <Field
          label="Time limit, seconds"
          optional
          error={errorOf('timeout')}
          description="10 when empty. A run that takes longer is stopped and answered with 400."
        >
          <Input {...form.register('timeout')} inputMode="numeric" autoComplete="off" className="max-w-32" />
        </Field>
        <p className="text-[0.8125rem] text-muted">
          A bot acts under a membership of its own. What it may reach is set, and it is turned off,{' '}
          <Link
            href={`/p/${projectId}/members?type=Bot`}
            className="font-medium text-accent-text underline underline-offset-3"
          >
            among the members
          </Link>
          .
        </p>
        <div className="flex flex-wrap justify-end gap-2 pt-1">
          <Button variant="ghost" className="mr-auto text-danger-text" onClick={() => setDeleting(true)}>
            Delete bot
          </Button>
          <Button onClick={cancel}>Cancel</Button>
          <SubmitButton busy={busy}>Save settings</SubmitButton>
        </div>
      </Form>
      {deleting ? <DeleteBotDialog projectId={projectId} bot={bot} onClose={() => setDeleting(false)} /> : null}
    </Dialog>
  );
}
