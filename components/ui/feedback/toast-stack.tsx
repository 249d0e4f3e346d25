'use client';
import { Toast as Base } from '@base-ui/react/toast';
import { X } from 'lucide-react';
import { buttonClass } from '../button-class.ts';
import { cn } from '../cn.ts';
import { toastManager } from './toast-manager.ts';

/** The toasts on screen; F6 reaches them by key. */
export function ToastStack() {
  return (
    <Base.Provider toastManager={toastManager} limit={3}>
      <Base.Portal>
        <Base.Viewport
          data-toasts=""
          className="fixed right-4 bottom-4 z-70 flex w-[calc(100vw-2rem)] flex-col gap-2 sm:w-96"
        >
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
