'use client';
import { useEffect, useState } from 'react';

/**
 * Gives the focus back to where it was before this was shown, when it leaves with the focus inside (WCAG 2.4.3). For what is mounted
 * while it is open: Base UI does this itself only for what stays mounted.
 */
export function useReturnFocus(): void {
  const [before] = useState(() => (typeof document === 'undefined' ? null : document.activeElement));
  useEffect(
    () => () => {
      setTimeout(() => {
        const isLost = document.activeElement === null || document.activeElement === document.body;
        if (!isLost) return;
        const isThere = before instanceof HTMLElement && before.isConnected && before !== document.body;
        // What opened it has gone with what it did: the page itself, then, and not the top of the window.
        (isThere ? before : document.querySelector<HTMLElement>('main'))?.focus();
      });
    },
    [before],
  );
}
