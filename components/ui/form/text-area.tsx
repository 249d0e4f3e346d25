'use client';
import { Field } from '@base-ui/react/field';
import type { ComponentProps } from 'react';
import { cn } from '../cn.ts';
import { controlClass } from './control-class.ts';

export type TextAreaProps = Omit<ComponentProps<'textarea'>, 'defaultValue' | 'value'> & {
  /** In the letters of code: for what is pasted rather than written. */
  isCode?: boolean;
  /** With `onChange`: for what no form keeps. */
  value?: string;
};

/** A text of several lines. Takes its id, description and invalid state from the Field around it. */
export function TextArea({ className, isCode = false, rows = 2, spellCheck = !isCode, ...rest }: TextAreaProps) {
  return (
    <Field.Control
      render={<textarea rows={rows} spellCheck={spellCheck} {...rest} />}
      className={cn(
        controlClass,
        'block w-full resize-y py-2',
        isCode ? 'px-3 font-mono text-xs leading-5' : 'text-sm max-sm:text-base',
        className,
      )}
    />
  );
}
