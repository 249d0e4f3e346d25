'use client';
import { Eye } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from '#components/ui/button.tsx';

const SOON_SECONDS = 60;

export type BannerProps = {
  name: string;
  /** Undefined: it is over. */
  overAt: number | undefined;
  busy: boolean;
  onOver: () => void;
  onEnd: () => void;
};

/** Whose eyes these are, for how long yet, and the way back. A screen reader hears the first, the last minute and the end; not each second. */
export function Banner({ name, overAt, busy, onOver, onEnd }: BannerProps) {
  const left = useSecondsLeft(overAt, onOver);
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-line border-b bg-warn-soft px-4 py-2.5 text-warn-text sm:px-6">
      <Eye className="size-4 shrink-0" aria-hidden="true" />
      <div role="status" className="min-w-0 flex-1 basis-48 text-sm">
        <p className="font-semibold [overflow-wrap:anywhere]">
          {overAt === undefined ? 'The view is over' : `You look with the eyes of ${name}`}
        </p>
        <p>
          {overAt === undefined
            ? 'Nothing more is read. Close this to go on as yourself.'
            : left <= SOON_SECONDS
              ? 'Read only. Less than a minute is left.'
              : 'Read only: nothing here changes anything.'}
        </p>
      </div>
      <span
        role="timer"
        aria-label="Time left"
        className="w-14 shrink-0 text-right font-mono font-semibold tabular-nums"
      >
        {toClock(overAt === undefined ? 0 : left)}
      </span>
      <Button size="sm" busy={busy} onClick={onEnd}>
        {overAt === undefined ? 'Close' : 'End the view'}
      </Button>
    </div>
  );
}

function useSecondsLeft(overAt: number | undefined, onOver: () => void): number {
  const [now, setNow] = useState(Date.now);
  const left = overAt === undefined ? 0 : Math.max(0, Math.ceil((overAt - now) / 1000));
  useEffect(() => {
    if (overAt === undefined) return;
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [overAt]);
  const isOver = overAt !== undefined && left === 0;
  useEffect(() => {
    if (isOver) onOver();
  }, [isOver, onOver]);
  return left;
}

function toClock(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
