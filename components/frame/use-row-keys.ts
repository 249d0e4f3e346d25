'use client';
import type { RefObject } from 'react';
import { type KeyMap, NOT_MINE, useKeys } from './use-keys.ts';

export type RowKeys = {
  /** Space: the essentials of the row, beside the list. */
  peek?: (id: string) => void;
  /** e: where the row is changed. */
  edit?: (id: string) => void;
};

/**
 * Keys of a list. Rows carry their id as `data-row` and hold one link with `data-row-link`: it takes the focus, so that Enter opens it
 * and a screen reader follows. x presses the row's checkbox, Shift x the range since the last one; f goes to what stands in `data-filters`.
 */
export function useRowKeys(list: RefObject<HTMLElement | null>, act: RowKeys, more: KeyMap = {}): void {
  function press(shiftKey: boolean) {
    const box = currentRow()?.querySelector('input[type=checkbox]');
    box?.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, shiftKey }));
  }
  useKeys({
    j: () => focusRow(stepFrom(list.current, currentRow()?.dataset.row, 1)),
    k: () => focusRow(stepFrom(list.current, currentRow()?.dataset.row, -1)),
    x: () => press(false),
    'shift+x': () => press(true),
    '/': () => list.current?.querySelector<HTMLElement>('input[type=search]')?.focus(),
    f: () => list.current?.querySelector<HTMLElement>('[data-filters] :is(select, button)')?.focus(),
    ' ': () => onRow(act.peek, document.activeElement?.matches('[data-row-link]') ?? false),
    e: () => onRow(act.edit, true),
    ...more,
  });
}

/** The row after (or before) the one with this id, of those on screen; the first when there is none. */
export function stepFrom(list: HTMLElement | null, id: string | undefined, step: 1 | -1): HTMLElement | undefined {
  const all = rowsOf(list);
  const at = all.findIndex((row) => row.dataset.row === id);
  return at < 0 ? all[0] : all[at + step];
}

/** A row is there twice, as a line of the table and as a card: the one that is on screen. */
export function findRow(list: HTMLElement | null, id: string | undefined): HTMLElement | undefined {
  return rowsOf(list).find((row) => row.dataset.row === id);
}

function rowsOf(list: HTMLElement | null): HTMLElement[] {
  return [...(list?.querySelectorAll<HTMLElement>('[data-row]') ?? [])].filter((row) => row.offsetParent !== null);
}

export function focusRow(row: HTMLElement | undefined): void {
  row?.querySelector<HTMLElement>('[data-row-link]')?.focus();
}

function currentRow(): HTMLElement | undefined {
  return document.activeElement?.closest<HTMLElement>('[data-row]') ?? undefined;
}

/** Space on a button or a checkbox is that control's own. */
function onRow(act: ((id: string) => void) | undefined, applies: boolean): typeof NOT_MINE | undefined {
  const id = currentRow()?.dataset.row;
  if (!act || !applies || !id) return NOT_MINE;
  act(id);
  return undefined;
}
