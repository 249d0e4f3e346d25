'use client';
import { Switch as Base } from '@base-ui/react/switch';
import type { ComponentProps } from 'react';
import { cn } from '../cn.ts';

export type SwitchProps = Omit<ComponentProps<typeof Base.Root>, 'className' | 'children'> & { className?: string };

export function Switch({ className, ...rest }: SwitchProps) {
  return (
    <Base.Root
      {...rest}
      className={cn(
        'inline-flex h-6 w-10 shrink-0 items-center rounded-full bg-line-strong p-0.5 transition-colors duration-150 data-checked:bg-accent data-disabled:cursor-not-allowed data-disabled:opacity-55',
        className,
      )}
    >
      <Base.Thumb className="size-5 rounded-full bg-white shadow-card transition-transform duration-150 data-checked:translate-x-4" />
    </Base.Root>
  );
}
