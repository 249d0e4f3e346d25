'use client';
import { useRef, useState } from 'react';

const AFTER_MS = 500;

/**
 * Work that a double press must not do twice: while it runs, and a moment after, since what stands under the pointer may have moved,
 * further calls do nothing. `busy` says so to the eye; the guard itself does not wait for a render.
 */
export function useOnce() {
  const held = useRef(false);
  const [busy, setBusy] = useState(false);
  async function once(work: () => Promise<unknown>): Promise<void> {
    if (held.current) return;
    held.current = true;
    setBusy(true);
    try {
      await work();
    } finally {
      setTimeout(() => {
        held.current = false;
        setBusy(false);
      }, AFTER_MS);
    }
  }
  return { busy, once };
}
