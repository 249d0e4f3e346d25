'use client';
import { useQuery } from '@tanstack/react-query';
import { ArrowDown, ArrowUp, Trash2 } from 'lucide-react';
import { useId } from 'react';
import { Button } from '#components/ui/button.tsx';
import { Card } from '#components/ui/display/card.tsx';
import { Field } from '#components/ui/form/field.tsx';
import { Input } from '#components/ui/form/input.tsx';
import { Select } from '#components/ui/form/select.tsx';
import type { ApiIssue } from '#lib/client/api/api-error.ts';
import { vocabularyQuery } from '#lib/client/policies/editing.ts';
import type { AccessPolicyRule } from '#lib/protocol/fhir/types.ts';
import { ConstraintsField } from './constraints-field.tsx';
import { InteractionsField } from './interactions-field.tsx';
import { NamesField } from './names-field.tsx';

export type RuleCardProps = {
  projectId: string;
  rule: AccessPolicyRule;
  /** Its place, from 0. */
  at: number;
  count: number;
  issues: readonly ApiIssue[];
  onChange: (rule: AccessPolicyRule | undefined) => void;
  onMove: (to: number) => void;
};

const GIVES = [
  { value: 'all', label: 'Reads and changes' },
  { value: 'read', label: 'Reads' },
  { value: 'exact', label: 'Exactly these' },
] as const;
type Gives = (typeof GIVES)[number]['value'];

export function RuleCard({ projectId, rule, at, count, issues, onChange, onMove }: RuleCardProps) {
  const id = useId();
  const { resourceType: type, criteria, readonly, interaction, hiddenFields, readonlyFields } = rule;
  const types = useQuery(vocabularyQuery(projectId)).data?.types ?? [];
  const isKnown = types.includes(type);
  const { parameters = [], fields = [] } =
    useQuery({ ...vocabularyQuery(projectId, type), enabled: isKnown }).data ?? {};
  const gives: Gives = interaction ? 'exact' : readonly ? 'read' : 'all';
  const own = issues.filter(({ expression }) => isWithin(expression, `AccessPolicy.resource[${at}]`));
  const told = (name: string) =>
    own.find(({ expression }) => isWithin(expression, `AccessPolicy.resource[${at}].${name}`))?.text;
  const pathOf = (index?: number) =>
    `AccessPolicy.resource[${at}].writeConstraint${index === undefined ? '' : `[${index}]`}`;
  const named = ['resourceType', 'criteria', 'interaction', 'hiddenFields', 'readonlyFields'];
  const rest = own.filter(
    ({ text, expression }) => !isWithin(expression, pathOf()) && !named.some((name) => told(name) === text),
  );
  const change = (edit: Partial<AccessPolicyRule>) => {
    const next = Object.entries({ ...rule, ...edit }).filter(([, value]) => value !== undefined);
    onChange(Object.fromEntries(next) as AccessPolicyRule);
  };
  const give = (next: Gives) => {
    const reading = { readonly: next === 'read' ? true : undefined };
    change({ ...reading, interaction: next === 'exact' ? ['read', 'search'] : undefined });
  };
  const rename = (next: string) => {
    const isOfType = criteria?.startsWith(`${type}?`);
    change({ resourceType: next, ...(isOfType && { criteria: `${next}${criteria!.slice(type.length)}` }) });
  };
  const query = criteria?.startsWith(`${type}?`) ? criteria.slice(type.length + 1) : criteria;
  return (
    <Card className="p-4">
      <div className="mb-3 flex items-center gap-1">
        <h3 className="mr-auto min-w-0 truncate font-medium">
          Rule {at + 1}: {type}
        </h3>
        <Button
          size="icon-sm"
          variant="ghost"
          data-move="up"
          aria-label={`Move rule ${at + 1} up`}
          disabled={at === 0}
          onClick={() => onMove(at - 1)}
        >
          <ArrowUp aria-hidden="true" />
        </Button>
        <Button
          size="icon-sm"
          variant="ghost"
          data-move="down"
          aria-label={`Move rule ${at + 1} down`}
          disabled={at === count - 1}
          onClick={() => onMove(at + 1)}
        >
          <ArrowDown aria-hidden="true" />
        </Button>
        <Button size="icon-sm" variant="ghost" aria-label={`Remove rule ${at + 1}`} onClick={() => onChange(undefined)}>
          <Trash2 aria-hidden="true" />
        </Button>
      </div>
      <div className="grid gap-3 sm:grid-cols-2">
        <Field label="Type" error={told('resourceType')}>
          <Input list={`${id}-types`} value={type} onValueChange={rename} />
        </Field>
        <Field label="Gives">
          <Select value={gives} options={GIVES} onValueChange={give} />
        </Field>
        {interaction ? (
          <InteractionsField
            chosen={interaction}
            error={told('interaction')}
            onChoose={(next) => change({ interaction: next })}
          />
        ) : null}
        <Field
          label="Only where"
          optional
          error={told('criteria')}
          description="As in a search: status=active&subject=%patient"
          className="sm:col-span-2"
        >
          <Input
            className="font-mono text-xs"
            list={`${id}-parameters`}
            spellCheck={false}
            value={query ?? ''}
            onValueChange={(next) => change({ criteria: next ? `${type}?${next}` : undefined })}
          />
        </Field>
        <NamesField
          label="Hidden fields"
          words={fields}
          names={hiddenFields}
          error={told('hiddenFields')}
          onNames={(names) => change({ hiddenFields: names })}
        />
        <NamesField
          label="Read-only fields"
          words={fields}
          names={readonlyFields}
          error={told('readonlyFields')}
          onNames={(names) => change({ readonlyFields: names })}
        />
      </div>
      {rest.map(({ text, expression }) => (
        <p key={`${expression} ${text}`} role="status" className="mt-2 text-[0.8125rem] text-danger-text">
          {expression}: {text}
        </p>
      ))}
      <ConstraintsField
        at={at}
        constraints={rule.writeConstraint}
        told={(index) => own.find(({ expression }) => isAt(expression, pathOf(index), index !== undefined))?.text}
        onChange={(writeConstraint) => change({ writeConstraint })}
      />
      <datalist id={`${id}-types`}>
        {['*', ...types].map((word) => (
          <option key={word} value={word} />
        ))}
      </datalist>
      <datalist id={`${id}-parameters`}>
        {parameters.map((word) => (
          <option key={word} value={`${word}=`} />
        ))}
      </datalist>
    </Card>
  );
}

/** Or, where that is said, within it. */
function isAt(expression: string | undefined, path: string, orWithin: boolean): boolean {
  return expression === path || (orWithin && isWithin(expression, path));
}

function isWithin(expression: string | undefined, path: string): boolean {
  if (!expression?.startsWith(path)) return false;
  return ['', '.', '['].includes(expression.charAt(path.length));
}
