'use client';
import { type RefObject, useEffect } from 'react';
import { type KeyMap, NOT_MINE, useKeys } from './use-keys.ts';

export type RowKeys = {
  /** Space: the essentials of the row, beside the list. */
  peek?: (id: string) => void;
  /** e: where the row is changed. */
  edit?: (id: string) => void;
};

const ARROWS = [
  ['ArrowDown', 1],
  ['ArrowUp', -1],
] as const;

/**
 * Keys of a list. Rows carry their id as `data-row` and hold one link with `data-row-link`: it takes the focus, so that Enter opens it
 * and a screen reader follows. A press anywhere else in the row is a press on that link. x presses the row's checkbox, Shift x the range since the last one; f goes to what stands in `data-filters`.
 */
export function useRowKeys(list: RefObject<HTMLElement | null>, act: RowKeys, more: KeyMap = {}): void {
  function press(shiftKey: boolean) {
    const box = currentRow()?.querySelector('input[type=checkbox]');
    box?.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, shiftKey }));
  }
  useEffect(() => {
    const onClick = (event: MouseEvent) => list.current?.contains(event.target as Node) && openRow(event);
    document.addEventListener('click', onClick);
    return () => document.removeEventListener('click', onClick);
  }, [list]);
  const next = (step: 1 | -1) => focusRow(stepFrom(list.current, currentRow()?.dataset.row, step));
  // The page scrolls by them until a row has the focus.
  const arrows = ARROWS.map(([key, step]) => [key, () => (isOnLink() ? next(step) : NOT_MINE)]);
  useKeys({
    ...Object.fromEntries(arrows),
    j: () => next(1),
    k: () => next(-1),
    x: () => press(false),
    'shift+x': () => press(true),
    '/': () => list.current?.querySelector<HTMLElement>('input[type=search]')?.focus(),
    f: () => list.current?.querySelector<HTMLElement>('[data-filters] :is(select, button)')?.focus(),
    ' ': () => onRow(act.peek, isOnLink()),
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

function isOnLink(): boolean {
  return document.activeElement?.matches('[data-row-link]') ?? false;
}

const CONTROLS = 'a, button, input, label, select, summary, [role=checkbox]';

/** Not what stands in the row by itself, and not the end of a text that was marked. */
function openRow({ target, ctrlKey, metaKey, shiftKey }: MouseEvent): void {
  if (!(target instanceof Element) || target.closest(CONTROLS) || getSelection()?.toString()) return;
  const link = target.closest('[data-row]')?.querySelector('[data-row-link]');
  link?.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, ctrlKey, metaKey, shiftKey }));
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
