'use client';
import { useSyncExternalStore } from 'react';
import { readTheme, type Theme, watchTheme } from '#lib/client/frame/theme.ts';

/** The theme of this page, as it is now. */
export function useTheme(): Theme {
  return useSyncExternalStore(watchTheme, readTheme, () => 'system');
}
