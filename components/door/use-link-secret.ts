'use client';
import { useSyncExternalStore } from 'react';

/** The secret of a mailed link, from the fragment, which no server sees. Undefined until the page has woken up, empty when there is none. */
export function useLinkSecret(): string | undefined {
  return useSyncExternalStore(onHashChange, readSecret, () => undefined);
}

function readSecret(): string {
  return window.location.hash.slice(1);
}

function onHashChange(notify: () => void): () => void {
  window.addEventListener('hashchange', notify);
  return () => window.removeEventListener('hashchange', notify);
}
