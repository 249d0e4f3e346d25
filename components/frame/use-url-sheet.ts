'use client';
import { useRef } from 'react';

/**
 * For a sheet that the address names. Opened here it is an entry of the history, which Back and closing both take away; come by a
 * link, closing takes it out of the address.
 */
export function useUrlSheet<Value>(put: (value: Value | null, options: { history: 'push' | 'replace' }) => unknown): {
  open: (value: Value) => void;
  /** Another one in its place. */
  turn: (value: Value) => void;
  close: () => void;
} {
  const opened = useRef(false);
  return {
    open: (value) => {
      opened.current = true;
      put(value, { history: 'push' });
    },
    turn: (value) => void put(value, { history: 'replace' }),
    close: () => {
      if (opened.current) window.history.back();
      else put(null, { history: 'replace' });
      opened.current = false;
    },
  };
}
