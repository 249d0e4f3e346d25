'use client';
import { useId } from 'react';
import { Checkbox } from '#components/ui/form/checkbox.tsx';
import type { PolicyInteraction } from '#lib/protocol/fhir/types.ts';

const ALL: readonly PolicyInteraction[] = ['read', 'search', 'vread', 'history', 'create', 'update', 'delete'];

export type InteractionsFieldProps = {
  chosen: readonly PolicyInteraction[];
  error?: string;
  onChoose: (interactions: PolicyInteraction[]) => void;
};

export function InteractionsField({ chosen, error, onChoose }: InteractionsFieldProps) {
  const id = useId();
  return (
    <fieldset className="sm:col-span-2" aria-describedby={error ? `${id}-error` : undefined}>
      <legend className="font-medium text-sm">Interactions</legend>
      <div className="flex flex-wrap gap-x-4">
        {ALL.map((one) => (
          <span key={one} className="flex items-center gap-1">
            <Checkbox
              id={`${id}-${one}`}
              checked={chosen.includes(one)}
              onCheckedChange={(on) => onChoose(on ? [...chosen, one] : chosen.filter((each) => each !== one))}
            />
            <label htmlFor={`${id}-${one}`}>{one}</label>
          </span>
        ))}
      </div>
      {error ? (
        <p id={`${id}-error`} className="text-[0.8125rem] text-danger-text">
          {error}
        </p>
      ) : null}
    </fieldset>
  );
}
