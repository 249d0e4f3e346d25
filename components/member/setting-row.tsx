'use client';
import type { ReactNode } from 'react';
import { cn } from '#components/ui/cn.ts';
import { Card } from '#components/ui/display/card.tsx';
import { pendingClass } from '#components/ui/display/pending-class.ts';
import { useBusy } from '#lib/client/api/use-pending.ts';

export type SettingRowProps = {
  /** The id of whose matter it is. */
  about: string;
  title: ReactNode;
  children: ReactNode;
  action: ReactNode;
  /** Why the action cannot be taken now. */
  reason?: string;
  className?: string;
};

/** One matter, what it is about, and what can be done. */
export function SettingRow({ about, title, children, action, reason, className }: SettingRowProps) {
  return (
    <Card
      aria-busy={useBusy(about)}
      className={cn('flex flex-wrap items-center gap-x-6 gap-y-3 px-5 py-4', pendingClass, className)}
    >
      <div className="min-w-0 flex-1 basis-64">
        <h2 className="flex min-h-6 items-center font-semibold">{title}</h2>
        <div className="mt-0.5 text-muted">{children}</div>
        {reason ? <p className="mt-1 text-[0.8125rem] text-warn-text">{reason}.</p> : null}
      </div>
      {action}
    </Card>
  );
}
