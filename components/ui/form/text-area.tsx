'use client';
import { Field } from '@base-ui/react/field';
import type { ComponentProps } from 'react';
import { cn } from '../cn.ts';
import { controlClass } from './control-class.ts';

export type TextAreaProps = Omit<ComponentProps<'textarea'>, 'defaultValue' | 'value'>;

/** A text of several lines. Takes its id, description and invalid state from the Field around it. */
export function TextArea({ className, rows = 2, ...rest }: TextAreaProps) {
  return (
    <Field.Control
      render={<textarea rows={rows} {...rest} />}
      className={cn(controlClass, 'block resize-y py-2 text-sm max-sm:text-base', className)}
    />
  );
}
