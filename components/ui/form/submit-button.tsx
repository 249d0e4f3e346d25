'use client';
import { useSyncExternalStore } from 'react';
import { Button, type ButtonProps } from '../button.tsx';

/** Submits only once React listens: an earlier press would send the form natively and lose what was typed. */
export function SubmitButton({ disabled, children, ...rest }: ButtonProps) {
  const ready = useSyncExternalStore(
    subscribe,
    () => true,
    () => false,
  );
  return (
    <Button type="submit" variant="primary" {...rest} disabled={disabled || !ready} className={rest.className}>
      {children}
    </Button>
  );
}

function subscribe(): () => void {
  return () => undefined;
}
