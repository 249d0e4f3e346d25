'use client';
import { useRef, useState } from 'react';

/** What is selected in a list: some rows by id, or everything that the view matches. */
export type Selection = {
  ids: ReadonlySet<string>;
  all: boolean;
  has: (id: string) => boolean;
  toggle: (id: string, on: boolean, range: boolean) => void;
  setPage: (on: boolean) => void;
  chooseAll: () => void;
  /** Who is no longer a member does not count. */
  drop: (id: string) => void;
  clear: () => void;
};

const NOBODY: ReadonlySet<string> = new Set();

/**
 * `page`: the ids on screen, in order; a range (shift) runs from the last toggled row. `filter`: what decides who matches. "All that
 * match" was said of that filter alone: with another, nobody is selected. `most`: so many rows at once.
 */
export function useSelection(page: readonly string[], filter: string, most = Number.POSITIVE_INFINITY): Selection {
  const [ids, setIds] = useState(NOBODY);
  const [allOf, setAllOf] = useState<string>();
  const last = useRef<string>(undefined);
  const all = allOf === filter;

  function clear() {
    setAllOf(undefined);
    setIds(NOBODY);
  }

  if (allOf !== undefined && !all) clear();

  function put(changed: readonly string[], on: boolean) {
    // "All" minus one is no longer all: what is on screen stays selected.
    const next = new Set(all ? page : ids);
    for (const id of changed) {
      if (!on) next.delete(id);
      else if (next.size < most) next.add(id);
    }
    setAllOf(undefined);
    setIds(next);
  }

  return {
    ids,
    all,
    has: (id) => all || ids.has(id),
    toggle: (id, on, range) => {
      const [from, to] = [page.indexOf(last.current ?? id), page.indexOf(id)];
      put(range && from >= 0 && to >= 0 ? page.slice(Math.min(from, to), Math.max(from, to) + 1) : [id], on);
      last.current = id;
    },
    setPage: (on) => put(page, on),
    chooseAll: () => setAllOf(filter),
    drop: (id) => setIds((before) => new Set([...before].filter((each) => each !== id))),
    clear,
  };
}
