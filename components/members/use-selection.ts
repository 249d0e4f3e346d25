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
  clear: () => void;
};

const NOBODY: ReadonlySet<string> = new Set();

/** `page`: the ids on screen, in order; a range (shift) runs from the last toggled row. */
export function useSelection(page: readonly string[]): Selection {
  const [ids, setIds] = useState(NOBODY);
  const [all, setAll] = useState(false);
  const last = useRef<string>(undefined);

  function put(changed: readonly string[], on: boolean) {
    // "All" minus one is no longer all: what is on screen stays selected.
    const next = new Set(all ? page : ids);
    for (const id of changed) {
      if (on) next.add(id);
      else next.delete(id);
    }
    setAll(false);
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
    chooseAll: () => setAll(true),
    clear: () => {
      setAll(false);
      setIds(NOBODY);
    },
  };
}
