'use client';
import { useLinkStatus } from 'next/link';

/** Inside a Link: marks it from the press until its page is there (globals.css, "data-link-pending"). */
export function LinkPending() {
  const { pending } = useLinkStatus();
  return pending ? <span data-link-pending="" aria-hidden="true" /> : null;
}
