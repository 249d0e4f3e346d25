'use client';
import type { RefObject } from 'react';
import { type KeyMap, useKeys } from './use-keys.ts';

/**
 * j, k and x in a list. Rows carry `data-row` and hold one link with `data-row-link`: it takes the focus, so that Enter opens it and
 * a screen reader follows. x presses the row's checkbox, Shift x the range since the last one.
 */
export function useRowKeys(list: RefObject<HTMLElement | null>, more: KeyMap = {}): void {
  const rows = () =>
    [...(list.current?.querySelectorAll<HTMLElement>('[data-row]') ?? [])].filter((row) => row.offsetParent !== null);
  const current = () => document.activeElement?.closest<HTMLElement>('[data-row]') ?? undefined;
  function move(step: number) {
    const all = rows();
    const here = current();
    const next = here ? all[all.indexOf(here) + step] : all[0];
    next?.querySelector<HTMLElement>('[data-row-link]')?.focus();
  }
  function press(shiftKey: boolean) {
    const box = current()?.querySelector('input[type=checkbox]');
    box?.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, shiftKey }));
  }
  useKeys({
    j: () => move(1),
    k: () => move(-1),
    x: () => press(false),
    'shift+x': () => press(true),
    '/': () => list.current?.querySelector<HTMLElement>('input[type=search]')?.focus(),
    ...more,
  });
}
