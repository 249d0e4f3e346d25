'use client';
import { Checkbox as Base } from '@base-ui/react/checkbox';
import { Check, Minus } from 'lucide-react';
import type { ComponentProps } from 'react';
import { cn } from './cn.ts';

export type CheckboxProps = Omit<ComponentProps<typeof Base.Root>, 'className' | 'children'> & { className?: string };

/** 16 px box inside a 24 px target (WCAG 2.5.8). */
export function Checkbox({ className, indeterminate, ...rest }: CheckboxProps) {
  const Icon = indeterminate ? Minus : Check;
  return (
    <Base.Root
      {...rest}
      indeterminate={indeterminate}
      className={cn('group inline-grid size-6 shrink-0 place-items-center rounded-md', className)}
    >
      <span className="grid size-4 place-items-center rounded-[0.3rem] border border-line-strong bg-surface text-accent-ink group-hover:border-muted group-data-checked:border-accent group-data-indeterminate:border-accent group-data-checked:bg-accent group-data-indeterminate:bg-accent">
        <Base.Indicator>
          <Icon className="size-3 stroke-3" aria-hidden="true" />
        </Base.Indicator>
      </span>
    </Base.Root>
  );
}
