'use client';
import { Pause, Play, Radio } from 'lucide-react';
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { Alert } from '#components/ui/feedback/alert.tsx';
import { rescueFocus } from '#components/ui/overlay/rescue-focus.ts';
import type { ApiError } from '#lib/client/api/api-error.ts';
import type { LiveRuns } from '#lib/client/bots/live-runs.ts';

/** So often those who listen hear how many came. */
const SAY_MS = 10_000;

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
  const said = useSeldom(came, SAY_MS);
  const hold = useRef<HTMLButtonElement>(null);
  const isFollowed = on && !error;
  return (
    <div className="mb-3 flex min-h-8 flex-wrap items-center gap-2">
      <Button size="sm" aria-pressed={on} onClick={() => onTurn(!on)} className={on ? 'text-accent-text' : ''}>
        <Radio aria-hidden="true" />
        Live
      </Button>
      {on ? (
        <Button ref={hold} size="sm" onClick={() => onPause(!paused)}>
          {paused ? <Play aria-hidden="true" /> : <Pause aria-hidden="true" />}
          {paused ? 'Resume' : 'Pause'}
        </Button>
      ) : null}
      {on && waiting > 0 ? <ShowNew waiting={waiting} before={hold} onShow={show} /> : null}
      <p aria-hidden="true" className="text-[0.8125rem] text-muted tabular-nums">
        {isFollowed ? toWord(came, paused) : ''}
      </p>
      <p role="status" className="sr-only">
        {isFollowed ? toWord(Math.min(said, came), paused) : ''}
      </p>
      {error ? <Alert tone="danger">Runs are not followed: {toReason(error)}</Alert> : null}
      {children}
    </div>
  );
}

type ShowNewProps = { waiting: number; before: RefObject<HTMLButtonElement | null>; onShow: () => void };

/** Goes when it is pressed, and gives the focus to what stands before it. Who never was on it is not brought there. */
function ShowNew({ waiting, before, onShow }: ShowNewProps) {
  const hadFocus = useRef(false);
  useEffect(() => () => (hadFocus.current ? rescueFocus(before.current) : undefined), [before]);
  return (
    <Button
      size="sm"
      variant="ghost"
      onFocus={() => {
        hadFocus.current = true;
      }}
      onBlur={() => {
        hadFocus.current = false;
      }}
      onClick={onShow}
    >
      Show {waiting} new
    </Button>
  );
}

/** The latest, at most once in so long. */
function useSeldom(value: number, ms: number): number {
  const [told, setTold] = useState(value);
  const at = useRef(0);
  useEffect(() => {
    if (value === told) return;
    const tell = () => {
      at.current = Date.now();
      setTold(value);
    };
    const timer = setTimeout(tell, Math.max(0, at.current + ms - Date.now()));
    return () => clearTimeout(timer);
  }, [value, told, ms]);
  return told;
}

function toReason({ status, message }: ApiError): string {
  return status === 429 ? `${message}. This goes on by itself when there is a place.` : message;
}

function toWord(came: number, paused: boolean): string {
  const word = came === 0 ? 'no run yet' : `${came} new ${came === 1 ? 'run' : 'runs'}`;
  return paused ? `Paused, ${word}` : `Following, ${word}`;
}
