'use client';
import { useId, useState } from 'react';
import { Field } from '#components/ui/form/field.tsx';
import { Input } from '#components/ui/form/input.tsx';

export type NamesFieldProps = {
  label: string;
  /** What can be named. */
  words: readonly string[];
  names: readonly string[] | undefined;
  error?: string;
  onNames: (names: string[] | undefined) => void;
};

/** Names with commas between them; the last one is completed. */
export function NamesField({ label, words, names = [], error, onNames }: NamesFieldProps) {
  const id = useId();
  const [typed, setTyped] = useState(names.join(', '));
  const told = toNames(typed).join() === names.join() ? typed : names.join(', ');
  const before = told.slice(0, told.lastIndexOf(',') + 1);
  const lead = before && `${before} `;
  return (
    <Field label={label} optional error={error}>
      <Input
        className="font-mono text-xs"
        list={id}
        spellCheck={false}
        value={told}
        onValueChange={(next) => {
          setTyped(next);
          const read = toNames(next);
          onNames(read.length > 0 ? read : undefined);
        }}
      />
      <datalist id={id}>
        {words
          .filter((word) => !names.includes(word))
          .map((word) => (
            <option key={word} value={`${lead}${word}`} />
          ))}
      </datalist>
    </Field>
  );
}

function toNames(text: string): string[] {
  return text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}
