'use client';
import { useSyncExternalStore } from 'react';

/** What stands behind the # of the address, where links carry their secret; undefined until the page is awake. */
export function useFragment(): string | undefined {
  return useSyncExternalStore(onHashChange, readFragment, () => undefined);
}

function readFragment(): string {
  return window.location.hash.slice(1);
}

function onHashChange(notify: () => void): () => void {
  window.addEventListener('hashchange', notify);
  return () => window.removeEventListener('hashchange', notify);
}
