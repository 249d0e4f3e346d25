'use client';
import { Button as Base } from '@base-ui/react/button';
import { cva, type VariantProps } from 'class-variance-authority';
import type { ComponentProps } from 'react';
import { cn } from './cn.ts';
import { Spinner } from './spinner.tsx';

export const buttonClass = cva(
  [
    'relative inline-flex shrink-0 select-none items-center justify-center gap-2 whitespace-nowrap rounded-lg font-medium',
    'transition-[background-color,border-color,color,box-shadow] duration-100',
    'data-disabled:cursor-not-allowed data-disabled:opacity-55',
    '[&_svg]:size-4 [&_svg]:shrink-0',
  ],
  {
    variants: {
      variant: {
        primary: 'bg-accent text-accent-ink shadow-card hover:bg-accent-strong active:bg-accent-strong',
        secondary: 'border border-line bg-surface text-ink shadow-card hover:bg-hover active:bg-sunken',
        ghost: 'text-muted hover:bg-hover hover:text-ink data-popup-open:bg-hover data-popup-open:text-ink',
        danger: 'bg-danger text-danger-ink shadow-card hover:bg-danger-strong active:bg-danger-strong',
        link: 'h-auto rounded-sm px-0 text-accent-text underline decoration-1 underline-offset-3 hover:decoration-2',
      },
      size: {
        sm: 'h-8 px-3 text-[0.8125rem]',
        md: 'h-9 px-3.5 text-sm',
        lg: 'h-11 px-5 text-[0.9375rem]',
        icon: 'size-9',
        'icon-sm': 'size-8',
      },
    },
    compoundVariants: [{ variant: 'link', className: 'h-auto px-0' }],
    defaultVariants: { variant: 'secondary', size: 'md' },
  },
);

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
