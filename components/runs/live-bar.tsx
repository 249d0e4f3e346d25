'use client';
import { Pause, Play, Radio } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '#components/ui/button.tsx';
import { Alert } from '#components/ui/feedback/alert.tsx';
import type { ApiError } from '#lib/client/api/api-error.ts';
import type { LiveRuns } from '#lib/client/bots/live-runs.ts';

export type LiveBarProps = {
  on: boolean;
  paused: boolean;
  live: LiveRuns;
  onTurn: (on: boolean) => void;
  onPause: (paused: boolean) => void;
  /** At its end. */
  children?: ReactNode;
};

/** Turns the live view on, holds it, and says how many came. Its height is the same whatever it says: nothing below it moves. */
export function LiveBar({ on, paused, live, onTurn, onPause, children }: LiveBarProps) {
  const { waiting, came, error, show } = live;
  return (
    <div className="mb-3 flex min-h-8 flex-wrap items-center gap-2">
      <Button size="sm" aria-pressed={on} onClick={() => onTurn(!on)} className={on ? 'text-accent-text' : ''}>
        <Radio aria-hidden="true" />
        Live
      </Button>
      {on ? (
        <Button size="sm" onClick={() => onPause(!paused)}>
          {paused ? <Play aria-hidden="true" /> : <Pause aria-hidden="true" />}
          {paused ? 'Resume' : 'Pause'}
        </Button>
      ) : null}
      {on && waiting > 0 ? (
        <Button size="sm" variant="ghost" onClick={show}>
          Show {waiting} new
        </Button>
      ) : null}
      <p role="status" className="text-[0.8125rem] text-muted tabular-nums">
        {on && !error ? toWord(came, paused) : ''}
      </p>
      {error ? <Alert tone="danger">Runs are not followed: {toReason(error)}</Alert> : null}
      {children}
    </div>
  );
}

function toReason({ status, message }: ApiError): string {
  return status === 429 ? `${message}. This goes on by itself when there is a place.` : message;
}

function toWord(came: number, paused: boolean): string {
  const word = came === 0 ? 'no run yet' : `${came} new ${came === 1 ? 'run' : 'runs'}`;
  return paused ? `Paused, ${word}` : `Following, ${word}`;
}
