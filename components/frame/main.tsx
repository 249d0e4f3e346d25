'use client';
import type { ComponentProps } from 'react';
import { usePending } from '#lib/client/api/use-pending.ts';

/** The main region. `data-pending` while something that was done on this page, or in a dialog over it, is not confirmed yet. */
export function Main(props: ComponentProps<'main'>) {
  return <main {...props} data-pending={usePending() || undefined} />;
}
