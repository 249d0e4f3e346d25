'use client';
import type { ComponentProps } from 'react';
import { useBusy } from '#lib/client/api/use-pending.ts';
import { cn } from '../cn.ts';
import { pendingClass } from './pending-class.ts';

/** A row of a list. `about`: the id of what it shows; it is busy while a write about that is under way. */
export function ListRow({ about, className, ...rest }: ComponentProps<'li'> & { about?: string }) {
  return <li {...rest} aria-busy={useBusy(about)} className={cn(pendingClass, className)} />;
}
