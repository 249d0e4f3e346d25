'use client';
import { Field } from '@base-ui/react/field';
import { cn } from '../cn.ts';
import { selectClass } from './select-class.ts';

export type SelectOption<Value extends string> = { value: Value; label: string };

export type SelectProps<Value extends string> = {
  value: Value;
  onValueChange: (value: Value) => void;
  options: readonly SelectOption<Value>[];
  /** Named by a visible label (Field) or, in a toolbar, by this. */
  'aria-label'?: string;
  /** Where no Field says them. */
  'aria-invalid'?: boolean;
  'aria-describedby'?: string;
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
        <select {...rest}>
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      }
      className={cn(selectClass, className)}
    />
  );
}
