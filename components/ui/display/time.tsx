'use client';
import { useSyncExternalStore } from 'react';
import { toRelativeTime } from '#lib/client/api/relative-time.ts';
import { Tooltip } from '../overlay/tooltip.tsx';

export type TimeProps = {
  /** A FHIR instant. */
  at: string;
  /** "5 min. ago", for a narrow column. */
  short?: boolean;
  className?: string;
};

/** Relative in the cell, exact with its zone on hover and focus. */
export function Time({ at, short, className }: TimeProps) {
  const now = useSyncExternalStore(everyHalfMinute, readClock, () => 0);
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return null;
  // The server does not know the reader's zone or clock: the first paint is the plain UTC date.
  const text = now === 0 ? at.slice(0, 10) : toRelativeTime(date.getTime(), now, { style: short ? 'short' : 'long' });
  return (
    <Tooltip text={now === 0 ? at : exact.format(date)}>
      <time dateTime={at} className={className} suppressHydrationWarning>
        {text}
      </time>
    </Tooltip>
  );
}

const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'long', timeStyle: 'long' });

const STEP_MS = 30_000;

function readClock(): number {
  return Math.ceil(Date.now() / STEP_MS) * STEP_MS;
}

function everyHalfMinute(notify: () => void): () => void {
  const timer = setInterval(notify, STEP_MS);
  return () => clearInterval(timer);
}
