'use client';
import { Input as Base } from '@base-ui/react/input';
import type { ComponentProps } from 'react';
import { cn } from '../cn.ts';
import { controlClass } from './control-class.ts';

export type InputProps = Omit<ComponentProps<typeof Base>, 'className' | 'size'> & {
  className?: string;
  large?: boolean;
};

export function Input({ className, large = false, ...rest }: InputProps) {
  return (
    <Base
      {...rest}
      className={cn(controlClass, large ? 'h-11 text-base' : 'h-9 text-sm max-sm:text-base', className)}
    />
  );
}
