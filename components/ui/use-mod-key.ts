'use client';
import { useSyncExternalStore } from 'react';

const subscribe = () => () => undefined;

/** What this reader's keyboard calls the key of shortcuts. */
export function useModKey(): 'Cmd' | 'Ctrl' {
  return useSyncExternalStore(
    subscribe,
    () => (/Mac|iPhone|iPad/.test(navigator.userAgent) ? 'Cmd' : 'Ctrl'),
    () => 'Ctrl',
  );
}
