'use client';
import { Plus } from 'lucide-react';
import { useRef } from 'react';
import { Button } from '#components/ui/button.tsx';
import { Field } from '#components/ui/form/field.tsx';
import { Input } from '#components/ui/form/input.tsx';
import type { ApiIssue } from '#lib/client/api/api-error.ts';
import { withMoved, withRule } from '#lib/client/policies/policy-text.ts';
import type { AccessPolicy } from '#lib/protocol/fhir/types.ts';
import { BasesField } from './bases-field.tsx';
import { CompartmentField } from './compartment-field.tsx';
import { PlacesField } from './places-field.tsx';
import { RuleCard } from './rule-card.tsx';

export type PolicyFormProps = {
  projectId: string;
  /** Its reference, where it is stored. */
  own: string | undefined;
  policy: AccessPolicy;
  issues: readonly ApiIssue[];
  onChange: (policy: AccessPolicy) => void;
};

/** The policy as fields. What it does not show stays in the JSON. */
export function PolicyForm({ projectId, own, policy, issues, onChange }: PolicyFormProps) {
  const rules = policy.resource ?? [];
  const list = useRef<HTMLOListElement>(null);
  const move = (from: number, to: number) => {
    onChange(withMoved(policy, from, to));
    // The button that was pressed goes along with its rule.
    const name = to < from ? 'up' : 'down';
    requestAnimationFrame(() => {
      const card = list.current?.children[to];
      const buttons = ['up', 'down'].map((each) => card?.querySelector<HTMLButtonElement>(`[data-move=${each}]`));
      const wanted = name === 'up' ? buttons : buttons.reverse();
      wanted.find((button) => button && !button.disabled)?.focus();
    });
  };
  return (
    <div className="flex flex-col gap-4">
      <Field label="Name" error={textOf(issues, 'AccessPolicy.name')}>
        <Input value={policy.name ?? ''} onValueChange={(name) => onChange({ ...policy, name })} />
      </Field>
      <h2 className="font-medium text-sm">Rules</h2>
      {rules.length === 0 && !policy.basedOn?.length ? (
        <p className="text-muted">Without a rule it gives nothing.</p>
      ) : null}
      <ol ref={list} aria-label="Rules" className="flex flex-col gap-3">
        {rules.map((rule, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a rule is its place.
          <li key={at}>
            <RuleCard
              projectId={projectId}
              rule={rule}
              at={at}
              count={rules.length}
              issues={issues}
              onChange={(next) => onChange(withRule(policy, at, next))}
              onMove={(to) => move(at, to)}
            />
          </li>
        ))}
      </ol>
      <div>
        <Button onClick={() => onChange(withRule(policy, rules.length, { resourceType: 'Patient', readonly: true }))}>
          <Plus aria-hidden="true" />
          Add a rule
        </Button>
      </div>
      <p className="text-[0.8125rem] text-muted">
        The first rule that holds of a record decides which of its fields are hidden.
      </p>
      <BasesField projectId={projectId} own={own} policy={policy} issues={issues} onChange={onChange} />
      <CompartmentField
        policy={policy}
        error={textOf(issues, 'AccessPolicy.compartment') ?? textOf(issues, 'AccessPolicy.compartment.reference')}
        onChange={onChange}
      />
      <PlacesField
        places={policy.ipAccessRule}
        issues={issues}
        onChange={(ipAccessRule) => {
          const { ipAccessRule: _, ...rest } = policy;
          onChange({ ...rest, ...(ipAccessRule && { ipAccessRule }) });
        }}
      />
    </div>
  );
}

function textOf(issues: readonly ApiIssue[], expression: string): string | undefined {
  return issues.find((issue) => issue.expression === expression)?.text;
}
