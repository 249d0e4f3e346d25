'use client';
import type { ComponentProps } from 'react';
import { useBusy } from '#lib/client/api/use-pending.ts';
import { cn } from '../cn.ts';
import { pendingClass } from './pending-class.ts';

export function Table({ className, ...rest }: ComponentProps<'table'>) {
  return <table {...rest} className={cn('w-full border-collapse text-left', className)} />;
}

export function TableHead({ className, ...rest }: ComponentProps<'th'>) {
  return (
    <th
      scope="col"
      {...rest}
      className={cn(
        'h-9 border-line border-b bg-sunken/60 px-4 font-medium text-muted text-xs first:rounded-tl-xl last:rounded-tr-xl',
        className,
      )}
    />
  );
}

/** `about`: the id of what it shows; it is busy while a write about that is under way. */
export function TableRow({ about, className, ...rest }: ComponentProps<'tr'> & { about?: string }) {
  const look = cn('group border-line border-b last:border-b-0', about && pendingClass, className);
  return <tr {...rest} aria-busy={useBusy(about)} className={look} />;
}

export function TableCell({ className, ...rest }: ComponentProps<'td'>) {
  return <td {...rest} className={cn('h-14 px-4 py-2 align-middle', className)} />;
}
