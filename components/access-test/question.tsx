'use client';
import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { ReferenceField } from '#components/invites/sheet/reference-field.tsx';
import { Button } from '#components/ui/button.tsx';
import { Card } from '#components/ui/display/card.tsx';
import { Field } from '#components/ui/form/field.tsx';
import { Input } from '#components/ui/form/input.tsx';
import { Select } from '#components/ui/form/select.tsx';
import { TextArea } from '#components/ui/form/text-area.tsx';
import { usePolicies } from '#lib/client/access/policies.ts';
import { useMemberName } from '#lib/client/access/reference-lookup.ts';
import { type ExplainQuestion, readPolicyText } from '#lib/client/access-test/explain.ts';

export const INTERACTIONS = ['read', 'vread', 'history', 'search', 'create', 'update', 'delete'] as const;
type Interaction = (typeof INTERACTIONS)[number];
export type Place = { membership: string; policy: string; interaction: Interaction; type: string };

const OF_RECORD = new Set<Interaction>(['read', 'vread', 'history', 'update', 'delete']);

type Props = {
  projectId: string;
  place: Place;
  onPlace: (next: Partial<Place>) => void;
  busy: boolean;
  ask: (question: ExplainQuestion) => void;
};

export function Question({ projectId, place, onPlace, busy, ask }: Props) {
  const { membership, policy, interaction, type } = place;
  const [first] = useState(membership);
  const name = useMemberName(projectId, first);
  const policies = usePolicies(projectId);
  const [draft, setDraft] = useState('');
  const [id, setId] = useState('');
  const [versionId, setVersionId] = useState('1');
  const [query, setQuery] = useState('');
  const [resource, setResource] = useState('');
  const [faults, setFaults] = useState<{ draft?: string; resource?: string; member?: string }>({});
  const types = useId();

  const read = useRef('');
  useEffect(() => {
    if (!policy || read.current === policy) return;
    read.current = policy;
    readPolicyText(policy).then(setDraft, () => setFaults({ draft: 'The policy could not be read' }));
  }, [policy]);

  function submit(event: FormEvent) {
    event.preventDefault();
    const policyBody = toJson(draft);
    const body = interaction === 'create' || interaction === 'update' ? toJson(resource) : undefined;
    const found = {
      ...(policyBody === 'broken' && { draft: 'This is no JSON object' }),
      ...(body === 'broken' && { resource: 'This is no JSON object' }),
      ...(!membership && policyBody === undefined && { member: 'Choose a member, or write a draft' }),
    };
    setFaults(found);
    if (Object.keys(found).length > 0) return;
    const isOfRecord = OF_RECORD.has(interaction) && id.trim() !== '';
    ask({
      ...(membership && { membership }),
      ...(policyBody !== undefined && { policy: policyBody as ExplainQuestion['policy'] }),
      ...{ interaction, resourceType: type.trim() },
      ...(isOfRecord && { id: id.trim() }),
      ...(isOfRecord && interaction === 'vread' && { versionId }),
      ...(interaction === 'search' && query.trim() !== '' && { query: query.trim().replace(/^\?/, '') }),
      ...(body !== undefined && { resource: body as ExplainQuestion['resource'] }),
    });
  }

  return (
    <Card className="p-5">
      <form onSubmit={submit} className="flex flex-col gap-4">
        <div className="grid gap-4 sm:grid-cols-2">
          <ReferenceField
            projectId={projectId}
            type="ProjectMembership"
            label="Member"
            description="By name; none for a draft alone"
            error={faults.member}
            value={membership}
            name={name.data}
            onChange={(next) => onPlace({ membership: next })}
          />
          <Field label="Draft of">
            <Select
              value={policy}
              onValueChange={(next) => {
                onPlace({ policy: next });
                if (next === '') setDraft('');
              }}
              options={[
                { value: '', label: 'No draft: as it stands' },
                ...(policies.data ?? []).map(({ reference, name }) => ({ value: reference, label: name })),
              ]}
            />
          </Field>
          <Field label="Interaction">
            <Select
              value={interaction}
              onValueChange={(next) => onPlace({ interaction: next })}
              options={INTERACTIONS.map((value) => ({ value, label: value }))}
            />
          </Field>
          <Field label="Resource type">
            <Input
              value={type}
              required
              list={types}
              placeholder="Patient"
              autoComplete="off"
              spellCheck={false}
              onChange={(event) => onPlace({ type: event.target.value })}
            />
          </Field>
          {OF_RECORD.has(interaction) ? (
            <Field label="Id of a record" description="Without one, the type is asked about">
              <Input value={id} autoComplete="off" spellCheck={false} onChange={(event) => setId(event.target.value)} />
            </Field>
          ) : null}
          {interaction === 'vread' ? (
            <Field label="Version">
              <Input value={versionId} inputMode="numeric" onChange={(event) => setVersionId(event.target.value)} />
            </Field>
          ) : null}
          {interaction === 'search' ? (
            <Field label="Query" description="Of the first twenty records, which are seen">
              <Input
                value={query}
                placeholder="name=smith"
                autoComplete="off"
                spellCheck={false}
                onChange={(event) => setQuery(event.target.value)}
              />
            </Field>
          ) : null}
        </div>
        <datalist id={types}>
          {COMMON.map((each) => (
            <option key={each} value={each} />
          ))}
        </datalist>
        {interaction === 'create' || (interaction === 'update' && id.trim() !== '') ? (
          <Field label="Resource as JSON" error={faults.resource} description="What is to be written">
            <TextArea isCode rows={5} value={resource} onValueChange={setResource} />
          </Field>
        ) : null}
        {policy !== '' || draft !== '' || membership === '' ? (
          <Field
            label="Draft as JSON"
            error={faults.draft}
            description="In the place of the policy with its id, or of all that the member has"
          >
            <TextArea isCode rows={8} value={draft} onValueChange={setDraft} />
          </Field>
        ) : null}
        <Button type="submit" variant="primary" busy={busy} className="self-start">
          Ask
        </Button>
      </form>
    </Card>
  );
}

const COMMON = ['Patient', 'Practitioner', 'Observation', 'Encounter', 'Condition', 'Task', 'DocumentReference'];

function toJson(text: string): object | 'broken' | undefined {
  if (text.trim() === '') return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : 'broken';
  } catch {
    return 'broken';
  }
}
