import { type SQL, sql } from 'drizzle-orm';
import { FIRST_INSTANT } from '#lib/protocol/fhir/index/date-range.ts';
import { principalDate } from '#lib/protocol/fhir/index/search-params.ts';
import type { DateRange, Expr } from '#lib/protocol/fhir/search/ir.ts';

// A row tells its principal date by itself: `sort_date` is the earliest beginning, `sort_end` the end, or infinity where there are several
// values (or none has been looked at since there is the column), and ix_date must be asked.

export type ByDate = Extract<Expr, { op: 'date' }>;

export function isPrincipal(type: string, expr: Expr): expr is ByDate {
  return expr.op === 'date' && isPrincipalParam(type, { id: expr.param });
}

/** Whether it is the type's principal date; many types have none. */
export function isPrincipalParam(type: string, { id }: { id: number }): boolean {
  return principalDate(type)?.id === id;
}

/** Whether `sort_end` does not tell. */
export const IS_UNTOLD = sql.raw(`r.sort_end = 'infinity'`);

const SECOND_MS = 1000;
const DAY_MS = 86_400_000;
/** Longer than a day, as an index has it: few are, of most types. Without a zone, since with one a day may have 25 hours. */
const IS_LONG = sql.raw(`r.sort_end at time zone 'UTC' > r.sort_date at time zone 'UTC' + interval '1 day'`);
/** No moment, as an index has it. */
const IS_LASTING = sql.raw(`r.sort_end at time zone 'UTC' >= r.sort_date at time zone 'UTC' + interval '1 second'`);

/** What holds of every row that matches, in terms that indexes know. */
export function datesWithin({ ranges }: ByDate): SQL {
  const last = latestStart(ranges);
  const from = earliestEnd(ranges);
  const until = last ? sql`r.sort_date <= ${last.toISOString()}::timestamptz` : sql`r.sort_date is not null`;
  return from ? sql`${until} and (${isShortFrom(from)} or ${isLongInto(from)})` : until;
}

/** Rows that have the date, and the key that puts them into its order. */
export type DatedWalk = { where: SQL; key: SQL };

const KEY = sql.raw('r.sort_date');
/** The same, unknown to the index of dates: that would be walked to its end for the few that lasted long. */
const HIDDEN_KEY = sql.raw('greatest(r.sort_date)');

/**
 * What a search from a day on finds, as the date ascends, in two walks instead of one from the beginning of time: what began before that day
 * and still lasts, and what begins with it or after it. Most dates are moments, of which the day before may have any number.
 */
export function datedWalks(type: string, filter: Expr): DatedWalk[] {
  const parts = (filter.op === 'and' ? filter.args : [filter]).filter((part) => isPrincipal(type, part));
  const froms = parts.flatMap(({ ranges }) => earliestEnd(ranges) ?? []);
  if (froms.length === 0) return [{ where: sql`r.sort_date is not null`, key: KEY }];
  const from = new Date(Math.max(...froms.map((date) => date.getTime())));
  const start = before(from, SECOND_MS);
  return [
    {
      where: sql`${HIDDEN_KEY} < ${start} and (${isLongInto(from)} or (${isBriefInto(from)} and r.sort_date < ${start}))`,
      key: HIDDEN_KEY,
    },
    { where: sql`r.sort_date >= ${start}`, key: KEY },
  ];
}

function isShortFrom(from: Date): SQL {
  return sql`r.sort_date >= ${before(from, DAY_MS)}`;
}

function isLongInto(from: Date): SQL {
  return sql`(${IS_LONG} and r.sort_end >= ${from.toISOString()}::timestamptz)`;
}

/** Its index has the end too: what began and ended on the day before is passed over there. */
function isBriefInto(from: Date): SQL {
  return sql`(${IS_LASTING} and ${isShortFrom(from)} and r.sort_end >= ${from.toISOString()}::timestamptz)`;
}

/** Before the first instant PostgreSQL has other years. */
function before(date: Date, ms: number): SQL {
  return sql`${new Date(Math.max(date.getTime() - ms, FIRST_INSTANT.getTime())).toISOString()}::timestamptz`;
}

/** No later does any value of a matching row begin, nor so the first one. */
function latestStart(ranges: DateRange[]): Date | undefined {
  return furthest(
    ranges.map(({ loMax, hiMax }) => loMax ?? hiMax),
    Math.max,
  );
}

/** No earlier does some value of a matching row end. */
function earliestEnd(ranges: DateRange[]): Date | undefined {
  return furthest(
    ranges.map(({ loMin, hiMin }) => hiMin ?? loMin),
    Math.min,
  );
}

function furthest(bounds: (Date | undefined)[], choose: (...times: number[]) => number): Date | undefined {
  const known = bounds.filter((bound) => bound !== undefined);
  return known.length === bounds.length ? new Date(choose(...known.map((bound) => bound.getTime()))) : undefined;
}
