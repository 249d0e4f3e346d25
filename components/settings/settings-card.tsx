'use client';
import { type ReactNode, useEffect } from 'react';
import { Card } from '#components/ui/display/card.tsx';
import { rescueFocus } from '#components/ui/overlay/rescue-focus.ts';

export type SettingsCardProps = {
  id: string;
  title: string;
  description: ReactNode;
  /** Right of the heading. */
  action?: ReactNode;
  children: ReactNode;
  /** Only there while there is something to save. */
  footer?: ReactNode;
  /** What was set is on its way. */
  busy?: boolean;
};

/** For after a press that took its own button away. */
export function focusCard(id: string): void {
  document.getElementById(id)?.focus();
}

/** One thing that can be set, with a heading of its own to jump to. */
export function SettingsCard({ id, title, description, action, children, footer, busy = false }: SettingsCardProps) {
  const hasFooter = Boolean(footer);
  useEffect(() => {
    // A button of the footer takes the footer away, and the focus with it.
    if (hasFooter) return () => rescueFocus(document.getElementById(id));
  }, [hasFooter, id]);
  return (
    <section aria-labelledby={id} aria-busy={busy || undefined}>
      <Card className="overflow-hidden">
        <header className="flex flex-wrap items-start justify-between gap-3 px-6 pt-5">
          <div className="min-w-0 flex-1 basis-64">
            <h2 id={id} tabIndex={-1} className="font-semibold text-[0.9375rem] outline-none">
              {title}
            </h2>
            <p className="mt-0.5 text-muted">{description}</p>
          </div>
          {action}
        </header>
        <div className="px-6 pt-4 pb-6">{children}</div>
        {footer ? (
          <footer className="flex flex-wrap items-center justify-end gap-2 border-line border-t bg-sunken/60 px-6 py-3">
            {footer}
          </footer>
        ) : null}
      </Card>
    </section>
  );
}
