'use client';
import { Dialog as Base } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { buttonClass } from '../button-class.ts';
import { cn } from '../cn.ts';
import { useFirstField } from '../form/use-first-field.ts';
import { useReturnFocus } from './use-return-focus.ts';

export type DialogProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: ReactNode;
  description?: ReactNode;
  children?: ReactNode;
  /** Buttons, right-aligned; the safe one first. */
  footer?: ReactNode;
  className?: string;
  /** Holds what would be lost: a press outside does not close it. */
  keep?: boolean;
  /** What it asked for is under way. */
  busy?: boolean;
};

export function Dialog({
  open,
  onOpenChange,
  title,
  description,
  children,
  footer,
  className,
  keep = false,
  busy = false,
}: DialogProps) {
  const giveBack = useReturnFocus();
  const { popup, firstField } = useFirstField();
  return (
    <Base.Root open={open} onOpenChange={onOpenChange} onOpenChangeComplete={giveBack} disablePointerDismissal={keep}>
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-40 bg-scrim transition-opacity duration-150 data-ending-style:opacity-0 data-starting-style:opacity-0" />
        <Base.Viewport className="fixed inset-0 z-50 grid grid-cols-[minmax(0,1fr)] place-items-center overflow-y-auto p-4 max-sm:items-end">
          <Base.Popup
            ref={popup}
            aria-busy={busy || undefined}
            initialFocus={(opened) => firstField(opened) ?? true}
            className={cn(
              'flex max-h-[calc(100dvh-2rem)] w-full max-w-md flex-col rounded-2xl border border-line bg-raised shadow-sheet outline-none transition-[opacity,scale,translate] duration-150 data-ending-style:translate-y-1 data-starting-style:translate-y-1 data-ending-style:scale-98 data-starting-style:scale-98 data-ending-style:opacity-0 data-starting-style:opacity-0',
              className,
            )}
          >
            <header className="flex items-start gap-4 px-6 pt-5 pb-3">
              <div className="min-w-0 flex-1">
                <Base.Title className="font-semibold text-base [overflow-wrap:anywhere]">{title}</Base.Title>
                {description ? <Base.Description className="mt-1 text-muted">{description}</Base.Description> : null}
              </div>
              <Base.Close
                aria-label="Close"
                className={cn(buttonClass({ variant: 'ghost', size: 'icon-sm' }), '-mt-1 -mr-2')}
              >
                <X aria-hidden="true" />
              </Base.Close>
            </header>
            {children ? <div className="overflow-y-auto px-6 pb-5 [overflow-wrap:anywhere]">{children}</div> : null}
            {footer ? (
              <footer className="flex flex-wrap justify-end gap-2 border-line border-t px-6 py-4">{footer}</footer>
            ) : null}
          </Base.Popup>
        </Base.Viewport>
      </Base.Portal>
    </Base.Root>
  );
}
