'use client';
import { useId } from 'react';
import { Checkbox } from '#components/ui/form/checkbox.tsx';

export type CheckLineProps = { label: string; checked: boolean; onCheckedChange: (checked: boolean) => void };

/** One of a list to tick, with its name. */
export function CheckLine({ label, checked, onCheckedChange }: CheckLineProps) {
  const id = useId();
  return (
    <div className="flex items-center gap-2">
      <Checkbox id={id} checked={checked} onCheckedChange={onCheckedChange} />
      <label htmlFor={id} dir="auto" className="min-w-0 break-words">
        {label}
      </label>
    </div>
  );
}
