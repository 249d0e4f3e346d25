import { ArrowUp, Plus, Trash2 } from 'lucide-react';
import { Button } from '#components/ui/button.tsx';
import { Card } from '#components/ui/display/card.tsx';
import { Field } from '#components/ui/form/field.tsx';
import { Input } from '#components/ui/form/input.tsx';
import { Select } from '#components/ui/form/select.tsx';
import type { ApiIssue } from '#lib/client/api/api-error.ts';
import type { AccessPolicy } from '#lib/protocol/fhir/types.ts';

type Places = NonNullable<AccessPolicy['ipAccessRule']>;

export type PlacesFieldProps = {
  places: Places | undefined;
  issues: readonly ApiIssue[];
  onChange: (places: Places | undefined) => void;
};

const ACTIONS = [
  { value: 'allow', label: 'Lets in' },
  { value: 'block', label: 'Keeps out' },
];

/** From where the policy is used. */
export function PlacesField({ places = [], issues, onChange }: PlacesFieldProps) {
  const put = (next: Places) => onChange(next.length > 0 ? next : undefined);
  const told = (path: string) =>
    issues.find(({ expression }) => expression === `AccessPolicy.ipAccessRule${path}`)?.text;
  const ofAll = told('');
  const change = (at: number, edit: Partial<Places[number]>) => {
    const next = Object.entries({ ...places[at], ...edit }).filter(([, value]) => value !== undefined);
    put(places.with(at, Object.fromEntries(next) as Places[number]));
  };
  const up = (at: number) => put(places.toSpliced(at, 1).toSpliced(at - 1, 0, places[at]!));
  return (
    <>
      <h2 className="font-medium text-sm">From where</h2>
      <p className="text-[0.8125rem] text-muted">
        {places.length === 0
          ? 'From every address.'
          : 'The first that fits an address decides. Where none does, it is let in: end with * to keep out the rest.'}
      </p>
      {places.length > 0 ? (
        <ol aria-label="Addresses" className="flex flex-col gap-3">
          {places.map(({ name, value, action }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a rule is its place.
            <li key={at}>
              <Card className="grid gap-3 p-4 sm:grid-cols-2">
                <div className="flex items-center gap-1 sm:col-span-2">
                  <h3 className="mr-auto min-w-0 truncate font-medium">Address {at + 1}</h3>
                  <Button
                    size="icon-sm"
                    variant="ghost"
                    aria-label={`Move address ${at + 1} up`}
                    disabled={at === 0}
                    onClick={() => up(at)}
                  >
                    <ArrowUp aria-hidden="true" />
                  </Button>
                  <Button
                    size="icon-sm"
                    variant="ghost"
                    aria-label={`Remove address ${at + 1}`}
                    onClick={() => put(places.toSpliced(at, 1))}
                  >
                    <Trash2 aria-hidden="true" />
                  </Button>
                </div>
                <Field label="Action" error={told(`[${at}].action`)}>
                  <Select
                    value={action}
                    options={ACTIONS}
                    onValueChange={(next) => change(at, { action: next as Places[number]['action'] })}
                  />
                </Field>
                <Field label="Called" optional error={told(`[${at}].name`)}>
                  <Input value={name ?? ''} onValueChange={(next) => change(at, { name: next || undefined })} />
                </Field>
                <Field
                  label="Address"
                  error={told(`[${at}].value`)}
                  description="Or a network: 203.0.113.0/24"
                  className="sm:col-span-2"
                >
                  <Input
                    className="font-mono text-xs"
                    spellCheck={false}
                    value={value ?? ''}
                    onValueChange={(next) => change(at, { value: next })}
                  />
                </Field>
              </Card>
            </li>
          ))}
        </ol>
      ) : null}
      {ofAll ? <p className="text-[0.8125rem] text-danger-text">{ofAll}</p> : null}
      <div>
        <Button
          onClick={() =>
            put([...places, places.length === 0 ? { value: '', action: 'allow' } : { value: '*', action: 'block' }])
          }
        >
          <Plus aria-hidden="true" />
          Add an address
        </Button>
      </div>
    </>
  );
}
