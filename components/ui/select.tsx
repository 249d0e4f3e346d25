'use client';
import { Field } from '@base-ui/react/field';
import { cn } from './cn.ts';

export type SelectOption<Value extends string> = { value: Value; label: string };

export type SelectProps<Value extends string> = {
  value: Value;
  onValueChange: (value: Value) => void;
  options: readonly SelectOption<Value>[];
  /** Named by a visible label (Field) or, in a toolbar, by this. */
  'aria-label'?: string;
  disabled?: boolean;
  name?: string;
  className?: string;
};

/** The browser's own select, styled where it allows (globals.css, "select"): no script, and a phone shows its own picker. */
export function Select<Value extends string>({
  value,
  onValueChange,
  options,
  className,
  disabled,
  name,
  ...rest
}: SelectProps<Value>) {
  return (
    <Field.Control
      name={name}
      disabled={disabled}
      value={value}
      onValueChange={(next) => onValueChange(next as Value)}
      render={
        <select aria-label={rest['aria-label']}>
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      }
      className={cn(
        'h-9 rounded-lg border border-line-strong bg-surface pr-2.5 pl-3 text-ink text-sm shadow-card hover:border-muted disabled:cursor-not-allowed disabled:bg-sunken disabled:text-muted data-invalid:border-danger max-sm:text-base',
        className,
      )}
    />
  );
}
