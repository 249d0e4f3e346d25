'use client';
import { Plus, X } from 'lucide-react';
import { Button } from '#components/ui/button.tsx';
import { Input } from '#components/ui/input.tsx';
import { Select } from '#components/ui/select.tsx';
import type { PolicyChoice } from '#lib/client/policies.ts';
import { type AccessRow, newRowKey } from './access-rows.ts';

export type AccessRowFieldsProps = {
  row: AccessRow;
  policies: readonly PolicyChoice[];
  onChange: (row: AccessRow) => void;
  onRemove: () => void;
};

/** One policy, and the values of its parameters. */
export function AccessRowFields({ row, policies, onChange, onRemove }: AccessRowFieldsProps) {
  const known = policies.some(({ reference }) => reference === row.policy);
  const options = [
    ...(row.policy === '' ? [{ value: '', label: 'Choose a policy' }] : []),
    ...(row.policy !== '' && !known ? [{ value: row.policy, label: row.policy }] : []),
    ...policies.map(({ reference, name }) => ({ value: reference, label: name })),
  ];
  const put = (key: string, part: Partial<AccessRow['parameters'][number]>) =>
    onChange({
      ...row,
      parameters: row.parameters.map((each) => (each.key === key ? { ...each, ...part } : each)),
    });
  return (
    <div className="flex flex-col gap-2">
      <div className="flex items-center gap-2">
        <Select
          aria-label="Policy"
          value={row.policy}
          onValueChange={(policy) => onChange({ ...row, policy })}
          options={options}
          className="min-w-0 flex-1"
        />
        <Button
          variant="ghost"
          size="sm"
          onClick={() =>
            onChange({ ...row, parameters: [...row.parameters, { key: newRowKey(), name: '', value: '' }] })
          }
        >
          <Plus aria-hidden="true" />
          Parameter
        </Button>
        <Button variant="ghost" size="icon-sm" aria-label="Take this policy away" onClick={onRemove}>
          <X aria-hidden="true" />
        </Button>
      </div>
      {row.parameters.map((parameter) => (
        <div key={parameter.key} className="flex items-center gap-2 pl-4">
          <Input
            aria-label="Parameter name"
            placeholder="patient"
            value={parameter.name}
            onChange={(event) => put(parameter.key, { name: event.currentTarget.value })}
            spellCheck={false}
            className="max-w-40"
          />
          <Input
            aria-label="Parameter value"
            placeholder="Patient/id, or text"
            value={parameter.value}
            onChange={(event) => put(parameter.key, { value: event.currentTarget.value })}
            spellCheck={false}
          />
          <Button
            variant="ghost"
            size="icon-sm"
            aria-label="Take this parameter away"
            onClick={() => onChange({ ...row, parameters: row.parameters.filter(({ key }) => key !== parameter.key) })}
          >
            <X aria-hidden="true" />
          </Button>
        </div>
      ))}
    </div>
  );
}
