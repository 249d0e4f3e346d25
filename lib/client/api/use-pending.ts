'use client';
import { useSyncExternalStore } from 'react';
import { isPending, watchPending } from './pending.ts';

/** True while anything that was done on this page, or in a dialog over it, is not confirmed by the server. */
export function usePending(): boolean {
  return useSyncExternalStore(watchPending, isPending, () => false);
}
