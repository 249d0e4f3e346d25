'use client';
import { type ComponentType, useEffect, useState } from 'react';

export type ToastInput = { title: string; description?: string; tone?: 'plain' | 'danger'; undo?: () => void };

/** Undo stays on offer this long (the brief asks for 8-10 s); focus or hover holds the clock. */
const UNDO_MS = 10_000;

const WANTED = 'gatehouse:toast';

/** Resolves when the stack listens: a toast that was added before would never be seen. */
const listening = Promise.withResolvers<void>();

/** Says something that has happened. No health data in toasts. F6 moves the focus to them. */
export function toast({ title, description, tone = 'plain', undo }: ToastInput): void {
  window.dispatchEvent(new Event(WANTED));
  void Promise.all([import('./toast-manager.ts'), listening.promise]).then(([{ toastManager }]) => {
    const id = toastManager.add({
      title,
      description,
      type: tone,
      priority: tone === 'danger' ? 'high' : 'low',
      timeout: undo ? UNDO_MS : tone === 'danger' ? 8000 : 4000,
      actionProps: undo
        ? {
            children: 'Undo',
            onClick: () => {
              toastManager.close(id);
              undo();
            },
          }
        : undefined,
    });
  });
}

/** Where toasts appear. Their script comes with the first one. */
export function ToastHost() {
  const [Stack, setStack] = useState<ComponentType>();
  useEffect(() => {
    const load = () => void import('./toast-stack.tsx').then((module) => setStack(() => module.ToastStack));
    window.addEventListener(WANTED, load, { once: true });
    return () => window.removeEventListener(WANTED, load);
  }, []);
  useEffect(() => {
    if (Stack) listening.resolve();
  }, [Stack]);
  return Stack ? <Stack /> : null;
}
