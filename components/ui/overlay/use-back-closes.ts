'use client';
import { useEffect, useRef } from 'react';
import { newKey } from '#lib/client/api/new-key.ts';

/**
 * While something is open that the address does not name, the browser's Back closes it and stays on the page: an entry of the history
 * stands for it. Set `leaving` when a link inside is followed: then that entry is not taken back.
 */
export function useBackCloses(open: boolean, close: () => void): { leaving: { current: boolean } } {
  const latest = useRef(close);
  const leaving = useRef(false);
  useEffect(() => {
    latest.current = close;
  });
  useEffect(() => {
    if (!open) return;
    const sheet = newKey();
    leaving.current = false;
    // Next adds what it needs of its own to the state.
    window.history.pushState({ sheet }, '');
    const isOnTop = () => window.history.state?.sheet === sheet;
    const onPop = () => isOnTop() || latest.current();
    window.addEventListener('popstate', onPop);
    return () => {
      window.removeEventListener('popstate', onPop);
      // Not at once: a page that is opened from here comes on top first, and nothing is taken back then.
      setTimeout(() => isOnTop() && !leaving.current && window.history.back());
    };
  }, [open]);
  return { leaving };
}
