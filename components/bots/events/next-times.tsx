'use client';
import { useEffect, useState } from 'react';
import { Alert } from '#components/ui/feedback/alert.tsx';
import { Skeleton } from '#components/ui/feedback/skeleton.tsx';
import { useSchedule } from '#lib/client/bots/connections/connections.ts';
import { type ScheduleForm, toScheduleQuery } from '#lib/client/bots/connections/schedule-form.ts';

const PAUSE_MS = 300;

/** The next five times of what is typed, as the server would have them, in their zone. */
export function NextTimes({ projectId, botId, form }: { projectId: string; botId: string; form: ScheduleForm }) {
  const query = useSettled(JSON.stringify(form.kind === 'other' ? {} : toScheduleQuery(form)));
  if (query === undefined) return <p className="text-muted">The next times stand here as you type.</p>;
  return <Answer projectId={projectId} botId={botId} query={JSON.parse(query)} />;
}

type AnswerProps = { projectId: string; botId: string; query: Record<string, string> };

function Answer({ projectId, botId, query }: AnswerProps) {
  const { data, error, isPlaceholderData } = useSchedule(projectId, botId, query);
  if (error) return <Alert tone="warn">{error.message}</Alert>;
  if (!data) return <Skeleton className="h-28" />;
  const zone = data.zone ?? 'UTC';
  return (
    <section
      aria-label="Next times"
      aria-busy={isPlaceholderData}
      className={isPlaceholderData ? 'opacity-55' : undefined}
    >
      <h3 className="font-medium text-sm">Next times, in {zone}</h3>
      <ol aria-live="polite" className="mt-1 flex flex-col gap-0.5 text-muted tabular-nums">
        {data.next.map((time) => (
          <li key={time}>
            <time dateTime={time}>{toText(time, zone)}</time>
          </li>
        ))}
      </ol>
    </section>
  );
}

function toText(time: string, timeZone: string): string {
  return new Intl.DateTimeFormat(undefined, {
    weekday: 'short',
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZone,
    timeZoneName: 'short',
  }).format(new Date(time));
}

/** A value once it has not changed for a moment. */
function useSettled<Value>(value: Value): Value {
  const [settled, settle] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => settle(value), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
