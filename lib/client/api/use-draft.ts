'use client';
import { useState } from 'react';

/** In this tab's memory only: signing out loads the page anew. */
const drafts = new Map<string, unknown>();

/** State that outlives its screen: what was begun and left is there on the way back. `undefined`: nothing was begun. */
export function useDraft<T>(key: string): [draft: T | undefined, keep: (draft: T | undefined) => void] {
  const [draft, setDraft] = useState(() => drafts.get(key) as T | undefined);
  return [
    draft,
    (next) => {
      if (next === undefined) drafts.delete(key);
      else drafts.set(key, next);
      setDraft(next);
    },
  ];
}
