'use client';
import { Field as Base } from '@base-ui/react/field';
import { CircleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { cn } from '../cn.ts';

export type FieldProps = {
  label: ReactNode;
  /** Shown under the control until an error takes its place. */
  description?: ReactNode;
  error?: string;
  optional?: boolean;
  disabled?: boolean;
  /** Stands right of the label: a link such as "Forgot it?". */
  aside?: ReactNode;
  className?: string;
  children: ReactNode;
};

/** Label, control, description and error, tied together for assistive technology by Base UI's Field. */
export function Field({
  label,
  description,
  error,
  optional = false,
  disabled,
  aside,
  className,
  children,
}: FieldProps) {
  return (
    <Base.Root invalid={Boolean(error)} disabled={disabled} className={cn('flex flex-col gap-1.5', className)}>
      <div className="flex items-baseline justify-between gap-3">
        <Base.Label className="font-medium text-ink text-sm data-disabled:text-muted">
          {label}
          {optional ? <span className="ml-1.5 font-normal text-faint">optional</span> : null}
        </Base.Label>
        {aside}
      </div>
      {children}
      {description && !error ? (
        <Base.Description className="text-[0.8125rem] text-muted leading-snug">{description}</Base.Description>
      ) : null}
      {error ? (
        <Base.Error
          match={true}
          className="flex animate-rise items-start gap-1.5 text-[0.8125rem] text-danger-text leading-snug"
        >
          <CircleAlert className="mt-px size-3.5 shrink-0" aria-hidden="true" />
          <span>{error}</span>
        </Base.Error>
      ) : null}
    </Base.Root>
  );
}
