'use client';
import { type ComponentType, useEffect, useState } from 'react';
import { rescueFocus } from '../overlay/rescue-focus.ts';
import type { toastManager as Manager } from './toast-manager.ts';

export type ToastInput = { title: string; description?: string; tone?: 'plain' | 'danger'; undo?: () => void };

/** Undo stays on offer this long (the brief asks for 8-10 s); focus or hover holds the clock. */
const UNDO_MS = 10_000;

const WANTED = 'gatehouse:toast';

/** Resolves when the stack listens: a toast that was added before would never be seen. */
const listening = Promise.withResolvers<typeof Manager>();

/** Says something that has happened. No health data in toasts. F6 moves the focus to them. */
export function toast({ title, description, tone = 'plain', undo }: ToastInput): void {
  window.dispatchEvent(new Event(WANTED));
  void listening.promise.then((manager) => {
    let focused = false;
    const id = manager.add({
      title,
      description,
      type: tone,
      priority: tone === 'danger' ? 'high' : 'low',
      timeout: undo ? UNDO_MS : tone === 'danger' ? 8000 : 4000,
      onClose: () => {
        focused = Boolean(document.activeElement?.closest('[data-toasts]'));
      },
      onRemove: () => focused && rescueFocus(),
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
  });
}

/**
 * Where toasts appear. Their script comes with the first key or press: not with the page, and not with the first toast either, which may
 * have to say that the server, and so the script, cannot be reached.
 */
export function ToastHost() {
  const [loaded, setLoaded] = useState<{ Stack: ComponentType; manager: typeof Manager }>();
  useEffect(() => {
    const stop = new AbortController();
    const load = () => {
      stop.abort();
      void Promise.all([import('./toast-stack.tsx'), import('./toast-manager.ts')]).then(
        ([{ ToastStack: Stack }, { toastManager: manager }]) => setLoaded({ Stack, manager }),
      );
    };
    for (const sign of ['keydown', 'pointerdown', WANTED])
      window.addEventListener(sign, load, { capture: true, signal: stop.signal });
    return () => stop.abort();
  }, []);
  useEffect(() => {
    if (loaded) listening.resolve(loaded.manager);
  }, [loaded]);
  return loaded ? <loaded.Stack /> : null;
}
