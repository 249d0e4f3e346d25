import type { ComponentProps } from 'react';
import { cn } from '../cn.ts';

export function Card({ className, ...rest }: ComponentProps<'div'>) {
  return <div {...rest} className={cn('rounded-xl border border-line bg-surface shadow-card', className)} />;
}
