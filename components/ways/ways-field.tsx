'use client';
import { useId } from 'react';
import { Checkbox } from '#components/ui/form/checkbox.tsx';
import { FieldError } from '#components/ui/form/field-error.tsx';
import { WAYS, type Way } from '#lib/protocol/sign-in/ways.ts';

export const WAY_NAMES: Record<Way, string> = {
  password: 'Password',
  passkey: 'Passkey',
  link: 'Link by e-mail',
  provider: 'Identity provider',
};

export type WaysFieldProps = {
  label: string;
  note?: string;
  value: readonly Way[];
  onChange: (ways: Way[]) => void;
};

/** Which ways are allowed to some people: one at least. */
export function WaysField({ label, note, value, onChange }: WaysFieldProps) {
  const id = useId();
  return (
    <fieldset
      className="flex flex-wrap items-start gap-x-4 gap-y-2"
      aria-describedby={value.length === 0 ? id : undefined}
    >
      <legend className="sr-only">{label}</legend>
      <div className="min-w-48 flex-1" aria-hidden="true">
        <p className="font-medium">{label}</p>
        {note ? <p className="text-[0.8125rem] text-muted">{note}</p> : null}
      </div>
      <div className="grid w-full grid-cols-2 gap-x-4 gap-y-1 sm:w-80">
        {WAYS.map((way) => (
          <label key={way} htmlFor={`${id}-${way}`} className="flex min-h-7 items-center gap-2">
            <Checkbox
              id={`${id}-${way}`}
              checked={value.includes(way)}
              onCheckedChange={(on) => onChange(WAYS.filter((one) => (one === way ? on : value.includes(one))))}
            />
            {WAY_NAMES[way]}
          </label>
        ))}
        {value.length === 0 ? (
          <div className="col-span-2">
            <FieldError id={id}>Choose one at least: without any, nobody of them could sign in</FieldError>
          </div>
        ) : null}
      </div>
    </fieldset>
  );
}
