'use client';
import type { VariantProps } from 'class-variance-authority';
import type { ComponentProps, MouseEvent } from 'react';
import { buttonClass } from './button-class.ts';
import { cn } from './cn.ts';
import { Spinner } from './feedback/spinner.tsx';

export type ButtonProps = ComponentProps<'button'> &
  VariantProps<typeof buttonClass> & {
    /** Work under way: the label keeps its width and the button its focus, a spinner shows, further presses do nothing. */
    busy?: boolean;
    /** Nothing to do: as `disabled`, but the button keeps its focus. For what a press of its own brings about. */
    idle?: boolean;
  };

export function Button(props: ButtonProps) {
  const {
    variant,
    size,
    busy = false,
    idle = false,
    disabled,
    className,
    children,
    onClick,
    onKeyDown,
    ...rest
  } = props;
  const isDeaf = busy || idle;
  return (
    <button
      type="button"
      {...rest}
      disabled={disabled && !isDeaf}
      aria-disabled={isDeaf || undefined}
      aria-busy={busy || undefined}
      data-disabled={disabled || isDeaf ? '' : undefined}
      onClick={isDeaf ? swallow : onClick}
      onKeyDown={(event) => {
        // One that keeps its focus would be pressed again and again by a key that is held.
        if (event.repeat && event.key === 'Enter') event.preventDefault();
        onKeyDown?.(event);
      }}
      className={cn(buttonClass({ variant, size }), busy && 'data-disabled:opacity-100', className)}
    >
      {busy ? <Spinner className="absolute" /> : null}
      <span className={cn('inline-flex items-center gap-2', busy && 'opacity-0')}>{children}</span>
    </button>
  );
}

/** Also keeps a submit button from sending its form twice. */
function swallow(event: MouseEvent): void {
  event.preventDefault();
}
