'use client';
import { type ReactNode, useId } from 'react';
import { cn } from '../cn.ts';
import { Switch } from './switch.tsx';

export type ToggleProps = {
  label: string;
  children?: ReactNode;
  checked: boolean;
  onCheckedChange: (checked: boolean) => void;
  disabled?: boolean;
  className?: string;
};

/** A switch with its name, and a line that says what it does. */
export function Toggle({ label, children, checked, onCheckedChange, disabled, className }: ToggleProps) {
  const id = useId();
  return (
    <div className={cn('flex items-start gap-3', className)}>
      <div className="min-w-0 flex-1">
        <p id={`${id}-label`} className={cn('font-medium', disabled && 'text-muted')}>
          {label}
        </p>
        {children ? (
          <p id={`${id}-text`} className="text-[0.8125rem] text-muted">
            {children}
          </p>
        ) : null}
      </div>
      <Switch
        aria-labelledby={`${id}-label`}
        aria-describedby={children ? `${id}-text` : undefined}
        checked={checked}
        onCheckedChange={onCheckedChange}
        disabled={disabled}
      />
    </div>
  );
}
