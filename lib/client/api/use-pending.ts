'use client';
import { useSyncExternalStore } from 'react';
import { isPending, watchPending } from './pending.ts';

/** True while anything that was done on this page, or in a dialog over it, is not confirmed by the server. */
export function usePending(): boolean {
  return useSyncExternalStore(watchPending, isPending, () => false);
}

/** The value of `aria-busy` for what shows the thing with this id: true while a write about it is under way. */
export function useBusy(about: string | undefined): true | undefined {
  const busy = useSyncExternalStore(
    watchPending,
    () => about !== undefined && isPending(about),
    () => false,
  );
  return busy || undefined;
}
