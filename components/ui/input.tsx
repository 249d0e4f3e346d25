'use client';
import { Input as Base } from '@base-ui/react/input';
import type { ComponentProps } from 'react';
import { cn } from './cn.ts';

export const controlClass =
  'w-full rounded-lg border border-line-strong bg-surface px-3 text-ink shadow-card transition-[border-color,box-shadow] duration-100 placeholder:text-faint hover:border-muted focus-visible:border-accent focus-visible:outline-2 focus-visible:-outline-offset-1 focus-visible:outline-accent data-invalid:border-danger data-invalid:focus-visible:outline-danger disabled:cursor-not-allowed disabled:bg-sunken disabled:text-muted';

export type InputProps = Omit<ComponentProps<typeof Base>, 'className' | 'size'> & {
  className?: string;
  large?: boolean;
};

export function Input({ className, large = false, ...rest }: InputProps) {
  return (
    <Base
      {...rest}
      className={cn(controlClass, large ? 'h-11 text-base' : 'h-9 text-sm max-sm:text-base', className)}
    />
  );
}
