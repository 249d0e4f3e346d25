'use client';
import { Check, Minus } from 'lucide-react';
import type { ComponentProps } from 'react';
import { cn } from '../cn.ts';

export type CheckboxProps = Omit<ComponentProps<'input'>, 'type' | 'onChange' | 'className'> & {
  checked: boolean;
  indeterminate?: boolean;
  onCheckedChange: (checked: boolean, event: { shift: boolean }) => void;
  className?: string;
};

/** A 16 px box inside a 24 px target (WCAG 2.5.8). */
export function Checkbox({ checked, indeterminate = false, onCheckedChange, className, ...rest }: CheckboxProps) {
  const Icon = indeterminate ? Minus : Check;
  return (
    <span className={cn('relative inline-grid size-6 shrink-0 place-items-center', className)}>
      <input
        {...rest}
        type="checkbox"
        ref={(node) => {
          if (node) node.indeterminate = indeterminate;
        }}
        checked={checked}
        onChange={(event) =>
          onCheckedChange(event.target.checked, { shift: (event.nativeEvent as MouseEvent).shiftKey === true })
        }
        className="peer absolute inset-0 m-0 size-6 cursor-pointer appearance-none rounded-md"
      />
      <span
        aria-hidden="true"
        className="pointer-events-none grid size-4 place-items-center rounded-[0.3rem] border border-line-strong bg-surface text-accent-ink peer-checked:border-accent peer-indeterminate:border-accent peer-checked:bg-accent peer-indeterminate:bg-accent peer-hover:border-muted"
      >
        {checked || indeterminate ? <Icon className="size-3 stroke-3" /> : null}
      </span>
    </span>
  );
}
