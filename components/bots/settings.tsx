'use client';
import Link from 'next/link';
import { useState } from 'react';
import { Controller } from 'react-hook-form';
import { z } from 'zod';
import { FormProblemAlert } from '#components/door/form-problem.tsx';
import { useDoorForm } from '#components/door/use-door-form.ts';
import { Button } from '#components/ui/button.tsx';
import { toast } from '#components/ui/feedback/toast.tsx';
import { Field } from '#components/ui/form/field.tsx';
import { Form } from '#components/ui/form/form.tsx';
import { Input } from '#components/ui/form/input.tsx';
import { Select } from '#components/ui/form/select.tsx';
import { SubmitButton } from '#components/ui/form/submit-button.tsx';
import { Toggle } from '#components/ui/form/toggle.tsx';
import { Dialog } from '#components/ui/overlay/dialog.tsx';
import { ApiError } from '#lib/client/api/api-error.ts';
import { useFormDraft } from '#lib/client/api/use-form-draft.ts';
import { useSaveBot } from '#lib/client/bots/bots.ts';
import { toCategoryName } from '#lib/protocol/bots/bots.ts';
import type { Bot, Stored } from '#lib/protocol/fhir/types.ts';
import { createBotRequest } from '#lib/protocol/requests/create-bot.ts';
import { DeleteBotDialog } from './delete-bot-dialog.tsx';

const TIMEOUT_TEXT = 'Whole seconds from 1 to 900';
const schema = z.object({
  name: createBotRequest.shape.name,
  description: z.string().trim().max(4096),
  system: z.string().trim(),
  value: z.string().trim(),
  category: z.string().trim().max(200),
  timeout: z.string().regex(/^(?:[1-9]\d?|[1-8]\d\d|900)?$/, TIMEOUT_TEXT),
  runAsUser: z.boolean(),
  rawBody: z.boolean(),
  audit: z.enum(['project', 'always', 'on-error', 'on-output', 'never']),
});
const FIELDS = ['name', 'description', 'system', 'value', 'category', 'timeout'] as const;

type Values = z.output<typeof schema>;

const OVERTAKEN = 'Somebody else changed the same meanwhile. Cancel, and open this again to see what it is now.';

const AUDITS: { value: Values['audit']; label: string }[] = [
  { value: 'project', label: 'Where the project keeps who read what' },
  { value: 'always', label: 'Each run' },
  { value: 'on-error', label: 'Runs that failed' },
  { value: 'on-output', label: 'Runs that logged something' },
  { value: 'never', label: 'No run' },
];

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
  const [, ...kinds] = bot.category ?? [];
  const stored = toValues(bot);
  const { form, onSubmit, problem, startOver, errorOf, busy } = useDoorForm<Values>(
    schema,
    FIELDS,
    async (given) => {
      if (isOvertaken(stored)) throw new ApiError(412, [{ text: OVERTAKEN }]);
      const { name, description, system, value, category, timeout, runAsUser, rawBody, audit } = given;
      const identifier = value ? [{ ...first, system: system || undefined, value }, ...others] : others;
      // What it was called by a code stays that, unless it is called otherwise.
      const named =
        category === stored.category ? (bot.category ?? []) : category ? [{ text: category }, ...kinds] : kinds;
      await save.mutateAsync({
        bot,
        details: {
          name,
          description: description || undefined,
          identifier: identifier.length > 0 ? identifier : undefined,
          category: named.length > 0 ? named : undefined,
          timeout: timeout ? Number(timeout) : undefined,
          runAsUser: runAsUser || undefined,
          rawBody: rawBody || undefined,
          auditEventTrigger: audit === 'project' ? undefined : audit,
        },
      });
      startOver(given);
      toast({ title: 'Settings saved' });
      onOpenChange(false);
    },
    { values: stored, resetOptions: { keepDirtyValues: true } },
  );
  const isOvertaken = useFormDraft(form, `bot-settings:${bot.id}`);
  const cancel = () => {
    startOver();
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
          label="Category"
          optional
          error={errorOf('category')}
          description="By which the list of bots is narrowed."
        >
          <Input {...form.register('category')} autoComplete="off" className="sm:max-w-72" />
        </Field>
        <Field
          label="Time limit, seconds"
          optional
          error={errorOf('timeout')}
          description="10 when empty. A run that takes longer is stopped and answered with 400."
        >
          <Input {...form.register('timeout')} inputMode="numeric" autoComplete="off" className="max-w-32" />
        </Field>
        <Field label="In the audit log">
          <Controller
            control={form.control}
            name="audit"
            render={({ field: { value, onChange } }) => (
              <Select value={value} options={AUDITS} onValueChange={onChange} className="sm:max-w-80" />
            )}
          />
        </Field>
        <Controller
          control={form.control}
          name="runAsUser"
          render={({ field: { value, onChange } }) => (
            <Toggle label="It runs with the rights of whoever calls it" checked={value} onCheckedChange={onChange}>
              Instead of those of its own membership, which it needs all the same.
            </Toggle>
          )}
        />
        <Controller
          control={form.control}
          name="rawBody"
          render={({ field: { value, onChange } }) => (
            <Toggle label="The bot gets the text" checked={value} onCheckedChange={onChange}>
              JSON as it came, to the byte, and not what it says.
            </Toggle>
          )}
        />
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

function toValues({ name = '', description = '', identifier, category, timeout, ...bot }: Bot): Values {
  const [{ system = '', value = '' } = {}] = identifier ?? [];
  const [kind] = category ?? [];
  return {
    name,
    description,
    system,
    value,
    category: (kind && toCategoryName(kind)) ?? '',
    timeout: timeout ? String(timeout) : '',
    runAsUser: bot.runAsUser === true,
    rawBody: bot.rawBody === true,
    audit: bot.auditEventTrigger ?? 'project',
  };
}
