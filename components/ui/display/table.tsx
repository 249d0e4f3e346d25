import type { ComponentProps } from 'react';
import { cn } from '../cn.ts';

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

export function TableRow({ className, ...rest }: ComponentProps<'tr'>) {
  return <tr {...rest} className={cn('group border-line border-b last:border-b-0', className)} />;
}

export function TableCell({ className, ...rest }: ComponentProps<'td'>) {
  return <td {...rest} className={cn('h-14 px-4 py-2 align-middle', className)} />;
}
