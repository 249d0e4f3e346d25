'use client';
import { Toast as Base } from '@base-ui/react/toast';
import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { buttonClass } from './button-class.ts';
import { cn } from './cn.ts';

const manager = Base.createToastManager();

/** Undo stays on offer this long (the brief asks for 8-10 s); focus or hover holds the clock. */
const UNDO_MS = 10_000;

export type ToastInput = { title: string; description?: string; tone?: 'plain' | 'danger'; undo?: () => void };

/** Says something that has happened. No health data in toasts. F6 moves the focus to them. */
export function toast({ title, description, tone = 'plain', undo }: ToastInput): void {
  const id = manager.add({
    title,
    description,
    type: tone,
    priority: tone === 'danger' ? 'high' : 'low',
    timeout: undo ? UNDO_MS : tone === 'danger' ? 8000 : 4000,
    actionProps: undo
      ? {
          children: 'Undo',
          onClick: () => {
            manager.close(id);
            undo();
          },
        }
      : undefined,
  });
}

export function ToastProvider({ children }: { children: ReactNode }) {
  return (
    <Base.Provider toastManager={manager} limit={3}>
      {children}
      <Base.Portal>
        <Base.Viewport className="fixed right-4 bottom-4 z-70 flex w-[calc(100vw-2rem)] flex-col gap-2 sm:w-96">
          <ToastList />
        </Base.Viewport>
      </Base.Portal>
    </Base.Provider>
  );
}

function ToastList() {
  const { toasts } = Base.useToastManager();
  return toasts.map((item) => (
    <Base.Root
      key={item.id}
      toast={item}
      className="rounded-xl border border-line bg-raised shadow-pop transition-[opacity,transform] duration-200 data-limited:hidden data-ending-style:translate-y-2 data-starting-style:translate-y-3 data-ending-style:opacity-0 data-starting-style:opacity-0"
    >
      <Base.Content className="flex items-center gap-3 py-3 pr-2 pl-4">
        <span className={cn('w-1 self-stretch rounded-full', item.type === 'danger' ? 'bg-danger' : 'bg-accent')} />
        <div className="min-w-0 flex-1">
          <Base.Title className="font-medium text-sm" />
          <Base.Description className="text-[0.8125rem] text-muted" />
        </div>
        <Base.Action className={buttonClass({ size: 'sm' })} />
        <Base.Close aria-label="Dismiss" className={buttonClass({ variant: 'ghost', size: 'icon-sm' })}>
          <X aria-hidden="true" />
        </Base.Close>
      </Base.Content>
    </Base.Root>
  ));
}
