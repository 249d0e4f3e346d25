import { AppError } from '#lib/base/errors.ts';
import { parseInterval } from '../index/date-range.ts';
import type { AccessEntry, ProjectMembership } from '../types.ts';

type Dated = Pick<ProjectMembership, 'period' | 'suspendedUntil' | 'user'>;

/** In epoch milliseconds: from when on it is entered, and from when on not any more. Undefined: from ever, and for ever. */
export type EntryDates = { from?: number; until?: number };

/**
 * When a membership is entered, by its dates alone: from the beginning of `period.start`, not before `suspendedUntil`, to the end of
 * `period.end`. A day is that of UTC, as everywhere in FHIR where no zone is given.
 */
export function toEntryDates({ period, suspendedUntil }: Pick<Dated, 'period' | 'suspendedUntil'>): EntryDates {
  const starts = [period?.start, suspendedUntil].flatMap((text) =>
    text ? (parseInterval(text)?.lo.getTime() ?? []) : [],
  );
  const end = period?.end === undefined ? undefined : parseInterval(period.end)?.hi.getTime();
  return {
    ...(starts.length > 0 && { from: Math.max(...starts) }),
    // An instant ends as it comes; a day, a month or a year when it is over.
    ...(end !== undefined && { until: isInstant(period?.end) ? parseInterval(period!.end!)!.lo.getTime() : end + 1 }),
  };
}

/** Whether it is entered at that moment, by its dates. */
export function isInTime({ from, until }: EntryDates, at = Date.now()): boolean {
  return (from === undefined || from <= at) && (until === undefined || until > at);
}

/** Why an entry of `access` cannot have this period, naming the end; undefined when it can. */
export function periodFault(
  period: NonNullable<AccessEntry['period']>,
): { at: 'start' | 'end'; text: string } | undefined {
  const wrongAt = (['start', 'end'] as const).find((at) => period[at] !== undefined && !parseInterval(period[at]));
  if (wrongAt) return { at: wrongAt, text: 'must be a date, or a date and time, from the year 1 on' };
  const { from, until } = toEntryDates({ period });
  return from !== undefined && until !== undefined && from >= until
    ? { at: 'end', text: 'must be after the start' }
    : undefined;
}

/** Throws 400 for dates that do not exist or contradict each other, and for those of a program: it is turned off, and its secrets end. */
export function requireEntryDates(membership: Dated): void {
  const { period, suspendedUntil, user } = membership;
  if (!period && suspendedUntil === undefined) return;
  const given = { 'period.start': period?.start, 'period.end': period?.end, suspendedUntil };
  for (const [name, text] of Object.entries(given)) {
    if (text !== undefined && !parseInterval(text))
      throw wrong(name, 'must be a date, or a date and time, from the year 1 on');
  }
  if (!user.reference?.startsWith('User/')) {
    throw wrong(period ? 'period' : 'suspendedUntil', 'is for people: a program is turned off, and its secrets end');
  }
  const start = period?.start && parseInterval(period.start)?.lo;
  const { until } = toEntryDates({ period });
  if (start && until !== undefined && start.getTime() >= until) throw wrong('period.end', 'must be after the start');
}

function isInstant(text: string | undefined): boolean {
  return text?.includes('T') === true;
}

function wrong(name: string, what: string): AppError {
  return new AppError('invalid', `${name} ${what}`, { expression: `ProjectMembership.${name}` });
}
