'use client';
import { useEffect, useSyncExternalStore } from 'react';
import { holdPage, keepDraft, onDrafts, readDraft, spendDraft } from './drafts.ts';

/**
 * State that outlives its screen and a reload of the tab (drafts.ts). `undefined`: nothing was begun. `spend`, when
 * what this render shows was sent, takes it away; what was typed since stays.
 */
export function useDraft<T>(
  key: string,
): [draft: T | undefined, keep: (draft: T | undefined) => void, spend: () => void] {
  const draft = useSyncExternalStore(
    onDrafts,
    () => readDraft<T>(key),
    () => undefined,
  );
  return [draft, (next) => keepDraft(key, next), () => spendDraft(key, draft)];
}

/** For what is typed and may not be kept: leaving asks while it is there. */
export function useHold(typed: boolean): void {
  useEffect(() => (typed ? holdPage() : undefined), [typed]);
}
