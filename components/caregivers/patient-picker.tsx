'use client';
import { X } from 'lucide-react';
import { useState } from 'react';
import { ReferenceField } from '#components/invites/sheet/reference-field.tsx';
import { Button } from '#components/ui/button.tsx';
import { cn } from '#components/ui/cn.ts';
import { MOST_PAIRS } from '#lib/protocol/caregivers/requests.ts';

/** `name`: of one that was found by it. */
export type Chosen = { reference: string; name?: string };

export type PatientPickerProps = {
  projectId: string;
  chosen: readonly Chosen[];
  onChange: (chosen: readonly Chosen[]) => void;
};

/** Patients, found by name one after the other. */
export function PatientPicker({ projectId, chosen, onChange }: PatientPickerProps) {
  const [found, setFound] = useState<Chosen>();
  /** A new field for the next one. */
  const [turn, setTurn] = useState(0);

  function add() {
    if (found && !chosen.some(({ reference }) => reference === found.reference)) onChange([...chosen, found]);
    setFound(undefined);
    setTurn(turn + 1);
  }

  return (
    <div className="flex flex-col gap-2">
      <div className="flex items-end gap-2">
        <div className="min-w-0 flex-1">
          <ReferenceField
            key={turn}
            projectId={projectId}
            type="Patient"
            label="Patient"
            value={found?.reference ?? ''}
            onChange={(reference, name) => setFound(reference ? { reference, name } : undefined)}
          />
        </div>
        <Button onClick={add} disabled={!found || chosen.length >= MOST_PAIRS}>
          Add patient
        </Button>
      </div>
      {chosen.length > 0 ? (
        <ul aria-label="Chosen patients" className="flex max-h-40 flex-wrap gap-1.5 overflow-y-auto">
          {chosen.map(({ reference, name }) => (
            <li
              key={reference}
              className="flex max-w-full items-center gap-1 rounded-lg bg-sunken pl-2.5 text-[0.8125rem]"
            >
              <span className={cn('min-w-0 truncate', !name && 'font-mono text-xs')} title={reference}>
                {name ?? reference}
              </span>
              <Button
                variant="ghost"
                size="icon-sm"
                aria-label={`Leave out ${name ?? reference}`}
                onClick={() => onChange(chosen.filter((other) => other.reference !== reference))}
              >
                <X aria-hidden="true" />
              </Button>
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  );
}
