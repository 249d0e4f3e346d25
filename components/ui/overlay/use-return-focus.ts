'use client';
import { useCallback, useEffect, useState } from 'react';
import { rescueFocus } from './rescue-focus.ts';

/**
 * Gives the focus back to where it was before this was shown, when it leaves with the focus inside (WCAG 2.4.3). For what is mounted
 * while it is open this is all there is; what stays mounted gets the answer as its `onOpenChangeComplete`, for when it was opened by a
 * key or by something that has gone, which Base UI cannot return to.
 */
export function useReturnFocus(): (open: boolean) => void {
  const [before] = useState(() => (typeof document === 'undefined' ? null : document.activeElement));
  useEffect(() => () => rescueFocus(before), [before]);
  return useCallback((open: boolean) => open || rescueFocus(before), [before]);
}
