'use client';
import { useSyncExternalStore } from 'react';

function subscribe(redraw: () => void): () => void {
  const events = ['online', 'offline'] as const;
  for (const name of events) window.addEventListener(name, redraw);
  return () => {
    for (const name of events) window.removeEventListener(name, redraw);
  };
}

/** Says that the connection is gone, for as long as it is. Lies over the page: nothing moves. */
export function OfflineBar() {
  const online = useSyncExternalStore(
    subscribe,
    () => navigator.onLine,
    () => true,
  );
  return (
    <div role="status" className="pointer-events-none fixed inset-x-0 bottom-0 z-60 flex justify-center p-3">
      {online ? null : (
        <p className="rounded-lg bg-ink px-3.5 py-2 text-[0.8125rem] text-canvas shadow-sheet">
          You are offline. What you see may be old.
        </p>
      )}
    </div>
  );
}
