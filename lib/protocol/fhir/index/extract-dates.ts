import { FIRST_INSTANT, hull, type Interval, LAST_INSTANT, parseInterval } from './date-range.ts';

type Period = { start?: unknown; end?: unknown };
type Timing = { event?: unknown; repeat?: { boundsPeriod?: Period } };

/** The intervals of a date, dateTime, instant, Period or Timing. An open end of a period is the end of time. */
export function extractDates(type: string, value: unknown): Interval[] {
  if (typeof value === 'string') return listOf(parseInterval(value));
  if (typeof value !== 'object' || value === null) return [];
  return type === 'Timing' ? timing(value) : listOf(period(value));
}

function timing({ event, repeat }: Timing): Interval[] {
  const times = Array.isArray(event) ? event.flatMap((time) => listOf(interval(time))) : [];
  const bounds = repeat?.boundsPeriod ? listOf(period(repeat.boundsPeriod)) : [];
  return listOf(hull([...times, ...bounds]));
}

function period({ start, end }: Period): Interval | undefined {
  const [from, to] = [interval(start), interval(end)];
  if (!from && !to) return undefined;
  const [lo, hi] = [from?.lo ?? FIRST_INSTANT, to?.hi ?? LAST_INSTANT];
  return lo <= hi ? { lo, hi } : { lo: hi, hi: lo };
}

function interval(value: unknown): Interval | undefined {
  return typeof value === 'string' ? parseInterval(value) : undefined;
}

function listOf<T>(value: T | undefined): T[] {
  return value === undefined ? [] : [value];
}
