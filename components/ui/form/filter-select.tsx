'use client';
import type { Ref } from 'react';
import { cn } from '../cn.ts';
import type { SelectProps } from './select.tsx';
import { selectClass } from './select-class.ts';

/** A Select of a toolbar: named by itself, in no Field. */
export function FilterSelect<Value extends string>({
  value,
  onValueChange,
  options,
  className,
  ...rest
}: SelectProps<Value> & { 'aria-label': string; ref?: Ref<HTMLSelectElement> }) {
  return (
    <select
      {...rest}
      value={value}
      onChange={(event) => onValueChange(event.target.value as Value)}
      className={cn(selectClass, className)}
    >
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </select>
  );
}
