import { Input as Base } from '@base-ui/react/input';
import type { ComponentProps } from 'react';
import { cn } from '../cn.ts';
import { controlClass } from './control-class.ts';

export type TextAreaProps = Omit<ComponentProps<typeof Base>, 'className' | 'render'> & {
  rows: number;
  className?: string;
};

/** For what is pasted rather than written: in the letters of code. */
export function TextArea({ rows, className, ...rest }: TextAreaProps) {
  return (
    <Base
      {...rest}
      render={<textarea rows={rows} spellCheck={false} />}
      className={cn(controlClass, 'w-full resize-y px-3 py-2 font-mono text-xs leading-5', className)}
    />
  );
}
