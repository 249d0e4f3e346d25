'use client';
import { CalendarClock, Plus, X } from 'lucide-react';
import { useId } from 'react';
import { Button } from '#components/ui/button.tsx';
import { FieldError } from '#components/ui/form/field-error.tsx';
import { Input } from '#components/ui/form/input.tsx';
import { Select } from '#components/ui/form/select.tsx';
import { type AccessRow, newRowKey } from '#lib/client/access/access-rows.ts';
import type { PolicyChoice } from '#lib/client/access/policies.ts';
import { AccessRowDates } from './access-row-dates.tsx';

export type AccessRowFieldsProps = {
  row: AccessRow;
  policies: readonly PolicyChoice[];
  onChange: (row: AccessRow) => void;
  /** Without it, it is the only one. */
  onRemove?: () => void;
  /** It may be given from one day on, or until one. */
  isDated?: true;
  /** What is wrong with "policy", "parameters.0.name", "parameters.0.value" or "dates.end". */
  errorOf?: (path: string) => string | undefined;
};

/** One policy, and the values of its parameters. */
export function AccessRowFields({
  row,
  policies,
  onChange,
  onRemove,
  isDated,
  errorOf = () => undefined,
}: AccessRowFieldsProps) {
  const id = useId();
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
  const wrong = (path: string) => ({ 'aria-invalid': true, 'aria-describedby': `${id}-${path}` }) as const;
  const refused = errorOf('policy');
  return (
    <div className="flex flex-col gap-2">
      <div className="flex items-center gap-2">
        <Select
          aria-label="Policy"
          {...(refused && wrong('policy'))}
          value={row.policy}
          onValueChange={(policy) => onChange({ ...row, policy })}
          options={options}
          className="min-w-0 flex-1 truncate"
        />
        <Button
          variant="ghost"
          size="sm"
          onClick={() =>
            onChange({ ...row, parameters: [...row.parameters, { key: newRowKey(), name: '', value: '' }] })
          }
        >
          <Plus aria-hidden="true" />
          <span className="max-sm:sr-only">Parameter</span>
        </Button>
        {isDated && !row.dates ? (
          <Button variant="ghost" size="sm" onClick={() => onChange({ ...row, dates: { start: '', end: '' } })}>
            <CalendarClock aria-hidden="true" />
            <span className="max-sm:sr-only">Dates</span>
          </Button>
        ) : null}
        {onRemove ? (
          <Button variant="ghost" size="icon-sm" aria-label="Take this policy away" onClick={onRemove}>
            <X aria-hidden="true" />
          </Button>
        ) : null}
      </div>
      <FieldError id={`${id}-policy`}>{refused}</FieldError>
      {isDated && row.dates ? (
        <AccessRowDates
          dates={row.dates}
          error={errorOf('dates.end')}
          onChange={(dates) => onChange({ ...row, dates })}
        />
      ) : null}
      {row.parameters.map((parameter, index) => {
        const [name, value] = [`parameters.${index}.name`, `parameters.${index}.value`];
        return (
          <div key={parameter.key} className="flex flex-col gap-1.5 pl-4">
            <div className="flex items-center gap-2">
              <Input
                aria-label="Parameter name"
                {...(errorOf(name) && wrong(name))}
                placeholder="patient"
                value={parameter.name}
                onChange={(event) => put(parameter.key, { name: event.currentTarget.value })}
                spellCheck={false}
                className="max-w-40"
              />
              <Input
                aria-label="Parameter value"
                {...(errorOf(value) && wrong(value))}
                placeholder="Patient/id, or text"
                value={parameter.value}
                onChange={(event) => put(parameter.key, { value: event.currentTarget.value })}
                spellCheck={false}
              />
              <Button
                variant="ghost"
                size="icon-sm"
                aria-label="Take this parameter away"
                onClick={() =>
                  onChange({ ...row, parameters: row.parameters.filter(({ key }) => key !== parameter.key) })
                }
              >
                <X aria-hidden="true" />
              </Button>
            </div>
            <FieldError id={`${id}-${name}`}>{errorOf(name)}</FieldError>
            <FieldError id={`${id}-${value}`}>{errorOf(value)}</FieldError>
          </div>
        );
      })}
    </div>
  );
}
