'use client';
import { cn } from '#components/ui/cn.ts';
import { Avatar } from '#components/ui/display/avatar.tsx';
import { Badge } from '#components/ui/display/badge.tsx';
import { Card } from '#components/ui/display/card.tsx';
import { Time } from '#components/ui/display/time.tsx';
import { Skeleton, SkeletonRegion } from '#components/ui/feedback/skeleton.tsx';
import type { Happening } from '#lib/client/activity/fold.ts';
import { Sentence, toActorName } from './sentence.tsx';

export type ActivityListProps = {
  /** Undefined while the first answer is on its way. */
  happenings: Happening[] | undefined;
  /** The rows belong to the view before this one. */
  stale?: boolean;
  onOpen: (id: string) => void;
};

/** Entries under their days. */
export function ActivityList({ happenings, stale = false, onOpen }: ActivityListProps) {
  if (!happenings) return <Waiting />;
  return (
    <div className={cn('flex flex-col gap-5 transition-opacity duration-150', stale && 'opacity-55')} aria-busy={stale}>
      {byDay(happenings).map(([day, entries]) => (
        <section key={day} aria-label={day}>
          <h2 className="mb-2 font-medium text-[0.8125rem] text-muted">{day}</h2>
          <Card>
            <ul className="divide-y divide-line">
              {entries.map((happening) => (
                <Entry key={happening.row.id} happening={happening} onOpen={onOpen} />
              ))}
            </ul>
          </Card>
        </section>
      ))}
    </div>
  );
}

function Entry({ happening, onOpen }: { happening: Happening; onOpen: (id: string) => void }) {
  const { row } = happening;
  return (
    <li
      data-row={row.id}
      className="relative flex min-h-13 items-center gap-3 px-4 py-2 first:rounded-t-xl last:rounded-b-xl hover:bg-hover/60"
    >
      <Avatar name={toActorName(row)} className="size-7 text-[0.6875rem]" />
      <button
        type="button"
        data-row-link=""
        onClick={() => onOpen(row.id)}
        className="min-w-0 flex-1 text-left after:absolute after:inset-0 sm:truncate"
      >
        <Sentence happening={happening} />
      </button>
      {row.outcome === 'failure' ? <Badge tone="danger">Refused</Badge> : null}
      <Time at={row.at} className="shrink-0 text-muted text-xs tabular-nums" />
    </li>
  );
}

const dayName = new Intl.DateTimeFormat('en', { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });

function byDay(happenings: readonly Happening[]): [string, Happening[]][] {
  const days = new Map<string, Happening[]>();
  for (const happening of happenings) {
    const day = dayName.format(new Date(happening.row.at));
    days.set(day, [...(days.get(day) ?? []), happening]);
  }
  return [...days];
}

function Waiting() {
  return (
    <SkeletonRegion label="Loading activity">
      <Skeleton className="mb-3 w-48" />
      <Card className="divide-y divide-line">
        {[0, 1, 2, 3, 4, 5, 6, 7].map((row) => (
          <div key={row} className="flex h-13 items-center gap-3 px-4">
            <Skeleton className="size-7 rounded-full" />
            <Skeleton className="h-3.5 w-1/2" />
            <Skeleton className="ml-auto h-3 w-16" />
          </div>
        ))}
      </Card>
    </SkeletonRegion>
  );
}
