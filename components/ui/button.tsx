'use client';
import { Button as Base } from '@base-ui/react/button';
import type { VariantProps } from 'class-variance-authority';
import type { ComponentProps } from 'react';
import { buttonClass } from './button-class.ts';
import { cn } from './cn.ts';
import { Spinner } from './spinner.tsx';

export type ButtonProps = ComponentProps<typeof Base> &
  VariantProps<typeof buttonClass> & {
    /** Work under way: the label keeps its width, a spinner shows, further presses do nothing. */
    busy?: boolean;
    className?: string;
  };

export function Button({ variant, size, busy = false, disabled, className, children, ...rest }: ButtonProps) {
  return (
    <Base
      {...rest}
      disabled={disabled || busy}
      focusableWhenDisabled={busy}
      aria-busy={busy || undefined}
      className={cn(buttonClass({ variant, size }), busy && 'data-disabled:opacity-100', className)}
    >
      {busy ? <Spinner className="absolute" /> : null}
      <span className={cn('inline-flex items-center gap-2', busy && 'invisible')}>{children}</span>
    </Base>
  );
}
