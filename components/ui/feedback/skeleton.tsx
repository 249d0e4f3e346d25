import type { ReactNode } from 'react';
import { cn } from '../cn.ts';

export function Skeleton({ className }: { className?: string }) {
  return <span aria-hidden="true" className={cn('block h-4 animate-shimmer rounded-md bg-line', className)} />;
}

/** Wraps a skeleton of the true layout; stays invisible for the first 150 ms so that quick answers never flash. */
export function SkeletonRegion({
  label,
  children,
  className,
}: {
  label: string;
  children: ReactNode;
  className?: string;
}) {
  return (
    <div aria-busy="true" className={cn('animate-late', className)}>
      <span role="status" className="sr-only">
        {label}
      </span>
      {children}
    </div>
  );
}
