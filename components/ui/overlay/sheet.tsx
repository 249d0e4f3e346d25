'use client';
import { Drawer as Base } from '@base-ui/react/drawer';
import { X } from 'lucide-react';
import type { ReactNode, RefObject } from 'react';
import { buttonClass } from '../button-class.ts';
import { cn } from '../cn.ts';
import { useFirstField } from '../form/use-first-field.ts';
import { useBackCloses } from './use-back-closes.ts';
import { useReturnFocus } from './use-return-focus.ts';

export type SheetProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  side?: 'left' | 'right';
  title: ReactNode;
  /** Hide the heading from sight (a navigation drawer that shows its own). */
  titleHidden?: boolean;
  children: ReactNode;
  footer?: ReactNode;
  /** What has the focus first; otherwise the first field, or the sheet itself. */
  initialFocus?: RefObject<HTMLElement | null>;
  className?: string;
  /** Holds what would be lost: a press outside does not close it. */
  keep?: boolean;
  /** The address says that it is open: Back closes it by that. */
  inUrl?: boolean;
};

/** A panel from the side; closes by Esc, a press outside, the button, or a swipe towards its edge. */
export function Sheet({
  open,
  onOpenChange,
  side = 'right',
  title,
  titleHidden = false,
  children,
  footer,
  initialFocus,
  className,
  keep = false,
  inUrl = false,
}: SheetProps) {
  const giveBack = useReturnFocus();
  const { popup, firstField } = useFirstField();
  const { leaving } = useBackCloses(open && !inUrl, () => onOpenChange(false));
  const right = side === 'right';
  return (
    <Base.Root
      open={open}
      onOpenChange={onOpenChange}
      onOpenChangeComplete={giveBack}
      swipeDirection={side}
      disablePointerDismissal={keep}
    >
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-40 bg-scrim opacity-[calc(1-var(--drawer-swipe-progress,0))] transition-opacity duration-200 data-swiping:duration-0 data-ending-style:opacity-0 data-starting-style:opacity-0" />
        <Base.Viewport className={cn('fixed inset-0 z-50 flex', right ? 'justify-end' : 'justify-start')}>
          <Base.Popup
            ref={popup}
            onClickCapture={(event) => {
              if ((event.target as Element).closest('a[href]')) leaving.current = true;
            }}
            initialFocus={initialFocus ?? ((opened) => firstField(opened) ?? popup.current)}
            className={cn(
              'flex h-full w-full flex-col bg-raised shadow-sheet outline-none transition-transform duration-250 ease-[cubic-bezier(0.32,0.72,0,1)] [transform:translateX(var(--drawer-swipe-movement-x,0))] data-swiping:duration-0',
              right
                ? 'max-w-lg data-ending-style:[transform:translateX(100%)] data-starting-style:[transform:translateX(100%)]'
                : 'max-w-72 data-ending-style:[transform:translateX(-100%)] data-starting-style:[transform:translateX(-100%)]',
              className,
            )}
          >
            <Base.Content className="flex min-h-0 flex-1 flex-col">
              <header
                className={cn(
                  'flex h-14 items-center gap-3 pr-3 pl-6',
                  titleHidden ? 'sr-only' : 'border-line border-b',
                )}
              >
                <Base.Title className="min-w-0 flex-1 truncate font-semibold text-base">{title}</Base.Title>
                <Base.Close aria-label="Close" className={buttonClass({ variant: 'ghost', size: 'icon-sm' })}>
                  <X aria-hidden="true" />
                </Base.Close>
              </header>
              {/* A footer that stays in sight hides nothing that has the focus (WCAG 2.4.11). */}
              <div className="min-h-0 flex-1 scroll-pb-24 overflow-y-auto [overflow-wrap:anywhere]">{children}</div>
              {footer ? (
                <footer className="flex justify-end gap-2 border-line border-t px-6 py-4">{footer}</footer>
              ) : null}
            </Base.Content>
          </Base.Popup>
        </Base.Viewport>
      </Base.Portal>
    </Base.Root>
  );
}
