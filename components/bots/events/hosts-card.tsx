'use client';
import { Field } from '#components/ui/form/field.tsx';
import { Select } from '#components/ui/form/select.tsx';
import { TextArea } from '#components/ui/form/text-area.tsx';
import { useBotPart } from '#lib/client/bots/connections/connections.ts';
import { type HostsForm, toHosts, toHostsForm } from '#lib/client/bots/connections/hosts-form.ts';
import type { Bot, Stored } from '#lib/protocol/fhir/types.ts';
import { PartCard } from './part-card.tsx';

const KINDS: { value: HostsForm['kind']; label: string }[] = [
  { value: 'inherit', label: 'What the project allows, or any' },
  { value: 'list', label: 'These alone' },
  { value: 'none', label: 'None' },
];

/** Which servers a bot may call by fetch. */
export function HostsCard({ projectId, bot }: { projectId: string; bot: Stored<Bot> }) {
  const part = useBotPart<HostsForm>({ projectId, bot, name: 'hosts', read: toHostsForm, write: toHosts });
  const { form, change } = part;
  return (
    <PartCard
      id="hosts"
      title="Hosts"
      description="Other servers that the bot may call by fetch. Private addresses are refused whatever stands here."
      saveLabel="Save hosts"
      part={part}
      isWhole={form.kind !== 'list' || form.hosts.trim() !== ''}
    >
      <Field label="It may call">
        <Select value={form.kind} options={KINDS} onValueChange={(kind) => change({ kind })} className="sm:max-w-96" />
      </Field>
      {form.kind === 'list' ? (
        <Field label="Hosts" description="One in each line: api.example.com, or *.example.com for all below it.">
          <TextArea value={form.hosts} rows={4} isCode onValueChange={(hosts) => change({ hosts })} />
        </Field>
      ) : null}
    </PartCard>
  );
}
