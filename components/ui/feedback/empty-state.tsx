import type { ReactNode } from 'react';
import { cn } from '../cn.ts';

export type EmptyStateProps = {
  icon?: ReactNode;
  title: string;
  children?: ReactNode;
  action?: ReactNode;
  /** 1 when it is all that the page says. */
  level?: 1 | 2;
  className?: string;
};

/** Why there is nothing, and the one thing to do about it. */
export function EmptyState({ icon, title, children, action, level = 2, className }: EmptyStateProps) {
  const Heading = level === 1 ? 'h1' : 'h2';
  return (
    <div className={cn('flex flex-col items-center px-6 py-14 text-center', className)}>
      {icon ? (
        <div
          className="mb-4 grid size-11 place-items-center rounded-xl bg-sunken text-muted ring-1 ring-line ring-inset [&_svg]:size-5"
          aria-hidden="true"
        >
          {icon}
        </div>
      ) : null}
      <Heading className="font-semibold text-[0.9375rem]">{title}</Heading>
      {children ? <p className="mt-1.5 max-w-md text-muted">{children}</p> : null}
      {action ? <div className="mt-5 flex flex-wrap justify-center gap-2">{action}</div> : null}
    </div>
  );
}
