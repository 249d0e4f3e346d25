import { FIRST_INSTANT, type Interval, LAST_INSTANT, parseInterval, withPlus } from '../index/date-range.ts';
import type { SearchParam } from '../index/search-params.ts';
import type { DateRange, Expr, InstantRange } from './ir.ts';
import { badParameter, type SearchValue } from './values.ts';

type Prefix = 'eq' | 'ne' | 'gt' | 'lt' | 'ge' | 'le' | 'sa' | 'eb' | 'ap';

const VALUE = /^(eq|ne|gt|lt|ge|le|sa|eb|ap)?(.*)$/s;

/**
 * Interval logic of R4 search §3.1.1.4.5: `eq` when the search interval contains the value's, `gt`/`lt` when the value
 * reaches beyond it, `ge`/`le` also when it is contained, `sa`/`eb` when it lies wholly after or before, `ne` when it is
 * not contained.
 */
export function dateFilter(param: SearchParam, values: SearchValue[], name: string): Expr {
  const ranges = dateRanges(values, name);
  return ranges.length === 0 ? { op: 'none' } : { op: 'date', param: param.id, ranges };
}

/** What the ends of a date must be, for each of the values. */
export function dateRanges(values: SearchValue[], name: string): DateRange[] {
  return values.flatMap((value) => {
    const { prefix, interval } = parseValue(value, name);
    return RANGES[prefix](interval).filter(isInTime);
  });
}

/** What has a time in common with the value (`po` of R4's _filter). */
export function overlapFilter(param: SearchParam, text: string, name: string): Expr {
  const { prefix, interval } = parseValue([text], name);
  if (prefix !== 'eq' || /^[a-z]/.test(text)) throw badParameter(name, `${name} must be a date`);
  if (param.code === '_lastUpdated') return { op: 'lastUpdated', ranges: INSTANTS.eq(interval) };
  return { op: 'date', param: param.id, ranges: [{ loMax: interval.hi, hiMin: interval.lo }] };
}

/** `_lastUpdated`: the row's instant is an interval of one millisecond. */
export function lastUpdatedFilter(values: SearchValue[], name: string): Expr {
  const ranges = values.flatMap((value) => {
    const { prefix, interval } = parseValue(value, name);
    return INSTANTS[prefix](interval).filter(isInTime);
  });
  return ranges.length === 0 ? { op: 'none' } : { op: 'lastUpdated', ranges };
}

const within = ({ lo, hi }: Interval): DateRange => ({ loMin: lo, hiMax: hi });
const beyond = ({ hi }: Interval): DateRange => ({ hiMin: after(hi) });
const ahead = ({ lo }: Interval): DateRange => ({ loMax: before(lo) });

const RANGES: Record<Prefix, (interval: Interval) => DateRange[]> = {
  eq: (interval) => [within(interval)],
  ne: (interval) => [ahead(interval), beyond(interval)],
  gt: (interval) => [beyond(interval)],
  lt: (interval) => [ahead(interval)],
  ge: (interval) => [beyond(interval), within(interval)],
  le: (interval) => [ahead(interval), within(interval)],
  sa: ({ hi }) => [{ loMin: after(hi) }],
  eb: ({ lo }) => [{ hiMax: before(lo) }],
  ap: (interval) => [{ loMax: nearly(interval).hi, hiMin: nearly(interval).lo }],
};

const later = ({ hi }: Interval): InstantRange[] => [{ from: after(hi) }];
const earlier = ({ lo }: Interval): InstantRange[] => [{ to: before(lo) }];

const INSTANTS: Record<Prefix, (interval: Interval) => InstantRange[]> = {
  eq: ({ lo, hi }) => [{ from: lo, to: hi }],
  ne: (interval) => [...earlier(interval), ...later(interval)],
  gt: later,
  lt: earlier,
  ge: ({ lo }) => [{ from: lo }],
  le: ({ hi }) => [{ to: hi }],
  sa: later,
  eb: earlier,
  ap: (interval) => [{ from: nearly(interval).lo, to: nearly(interval).hi }],
};

/** About a date is a tenth of the time between it and now, to either side (R4 search §3.1.1.4.5). */
function nearly({ lo, hi }: Interval): Interval {
  const now = Date.now();
  const gap = Math.max(0, lo.getTime() - now, now - hi.getTime()) / 10;
  const [first, last] = [lo.getTime() - gap, hi.getTime() + gap];
  return {
    lo: new Date(Math.max(first, FIRST_INSTANT.getTime())),
    hi: new Date(Math.min(last, LAST_INSTANT.getTime())),
  };
}

function parseValue(value: SearchValue, name: string): { prefix: Prefix; interval: Interval } {
  const [, prefix = 'eq', text = ''] = VALUE.exec(value.join('|')) ?? [];
  const interval = parseInterval(withPlus(text));
  if (!interval) throw badParameter(name, `${name} must be a date, with or without a prefix such as ge`);
  return { prefix: prefix as Prefix, interval };
}

/** Before the first or after the last instant there is nothing to find, and Postgres does not read such dates. */
function isInTime(range: DateRange | InstantRange): boolean {
  return Object.values(range).every((bound: Date) => bound >= FIRST_INSTANT && bound <= LAST_INSTANT);
}

function after(date: Date): Date {
  return new Date(date.getTime() + 1);
}

function before(date: Date): Date {
  return new Date(date.getTime() - 1);
}
