'use client';
import { ArrowUp, Trash2 } from 'lucide-react';
import { Button } from '#components/ui/button.tsx';
import { Card } from '#components/ui/display/card.tsx';
import { Field } from '#components/ui/form/field.tsx';
import { Select } from '#components/ui/form/select.tsx';
import { usePolicies } from '#lib/client/access/policies.ts';
import type { ApiIssue } from '#lib/client/api/api-error.ts';
import type { AccessPolicy } from '#lib/protocol/fhir/types.ts';

export type BasesFieldProps = {
  projectId: string;
  /** Of the policy, where it is stored: it is not based on itself. */
  own: string | undefined;
  policy: AccessPolicy;
  issues: readonly ApiIssue[];
  onChange: (policy: AccessPolicy) => void;
};

type Bases = NonNullable<AccessPolicy['basedOn']>;

/** The policies whose rules this one has, too. */
export function BasesField({ projectId, own, policy, issues, onChange }: BasesFieldProps) {
  const policies = usePolicies(projectId);
  const { basedOn: bases = [], ...rest } = policy;
  const put = (next: Bases) => onChange(next.length > 0 ? { ...rest, basedOn: next } : rest);
  const taken = new Set([own, ...bases.map(({ reference }) => reference)]);
  const choices = (policies.data ?? []).filter(({ reference }) => !taken.has(reference));
  const nameOf = (reference = '') => policies.data?.find((each) => each.reference === reference)?.name ?? reference;
  const told = (at: number) =>
    issues.find(({ expression }) => expression?.startsWith(`AccessPolicy.basedOn[${at}]`))?.text;
  const ofAll = issues.find(({ expression }) => expression === 'AccessPolicy.basedOn')?.text;
  return (
    <>
      <h2 className="font-medium text-sm">Based on</h2>
      <p className="text-[0.8125rem] text-muted">
        {bases.length === 0
          ? 'On no other policy: it gives what its own rules say.'
          : 'What these give it gives, too, as they are at each moment. Their rules come after its own.'}
      </p>
      {bases.length > 0 ? (
        <ol aria-label="Based on" className="flex flex-col gap-2">
          {bases.map(({ reference }, at) => (
            <li key={reference ?? at}>
              <Card className="p-3">
                <div className="flex items-center gap-1">
                  <span className="mr-auto min-w-0 truncate text-sm">{nameOf(reference)}</span>
                  <Button
                    size="icon-sm"
                    variant="ghost"
                    aria-label={`Move ${nameOf(reference)} up`}
                    disabled={at === 0}
                    onClick={() => put(bases.toSpliced(at, 1).toSpliced(at - 1, 0, bases[at]!))}
                  >
                    <ArrowUp aria-hidden="true" />
                  </Button>
                  <Button
                    size="icon-sm"
                    variant="ghost"
                    aria-label={`No longer based on ${nameOf(reference)}`}
                    onClick={() => put(bases.toSpliced(at, 1))}
                  >
                    <Trash2 aria-hidden="true" />
                  </Button>
                </div>
                {told(at) ? <p className="mt-1 text-[0.8125rem] text-danger-text">{told(at)}</p> : null}
              </Card>
            </li>
          ))}
        </ol>
      ) : null}
      {ofAll ? <p className="text-[0.8125rem] text-danger-text">{ofAll}</p> : null}
      {choices.length > 0 ? (
        <Field label="Another policy that it is based on" optional>
          <Select
            value=""
            options={[
              { value: '', label: 'Choose a policy' },
              ...choices.map(({ reference, name }) => ({ value: reference, label: name })),
            ]}
            onValueChange={(reference) => {
              if (reference) put([...bases, { reference }]);
            }}
          />
        </Field>
      ) : null}
    </>
  );
}
