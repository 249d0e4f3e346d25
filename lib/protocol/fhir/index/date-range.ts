/** The milliseconds a date covers, both ends included: `2024` is the whole year, in UTC when no zone is given. */
export type Interval = { lo: Date; hi: Date };

const DATE = /^(\d{4})(?:-(\d\d)(?:-(\d\d)(?:T(\d\d):(\d\d)(?::(\d\d)(?:\.(\d+))?)?(Z|[+-]\d\d:\d\d)?)?)?)?$/;
/** The ends of time: open periods, and what Postgres and JavaScript both write with four digits. */
export const FIRST_INSTANT = new Date('0001-01-01T00:00:00.000Z');
export const LAST_INSTANT = new Date('9999-12-31T23:59:59.999Z');

/**
 * Reads a FHIR date, dateTime or instant, with the precision that it has. Undefined when it is not one.
 * Seconds may be missing and the zone too, since search values may leave them out (R4 search §3.1.1.4.5).
 */
export function parseInterval(text: string): Interval | undefined {
  const match = DATE.exec(text);
  if (!match) return undefined;
  const [, year = '', month, day, hour, minute, second, fraction, zone = 'Z'] = match;
  if (year === '0000' || !isCalendarDay(Number(year), Number(month ?? 1), Number(day ?? 1))) return undefined;
  if (hour === undefined) return wholeDays(Number(year), month, day);
  // A leap second has no Date of its own: it counts with the second before it.
  const seconds = second === '60' ? '59' : (second ?? '00');
  const millis = (fraction ?? '').slice(0, 3);
  const start = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${seconds}.${millis.padEnd(3, '0')}${zone}`);
  if (Number.isNaN(start)) return undefined;
  const span = second === undefined ? 60_000 : 1000 / 10 ** millis.length;
  return { lo: clamp(start), hi: clamp(start + span - 1) };
}

/** Of an address or a form, where a `+` that was not percent-encoded arrives as a space. */
export function withPlus(text: string): string {
  return text.replace(/ (\d\d:\d\d)$/, '+$1');
}

/** The smallest interval around several, or undefined when there are none. */
export function hull(intervals: Interval[]): Interval | undefined {
  if (intervals.length === 0) return undefined;
  return {
    lo: new Date(Math.min(...intervals.map(({ lo }) => lo.getTime()))),
    hi: new Date(Math.max(...intervals.map(({ hi }) => hi.getTime()))),
  };
}

export function isCalendarDay(year: number, month: number, day: number): boolean {
  if (month < 1 || month > 12 || day < 1) return false;
  return day <= daysIn(year, month);
}

function daysIn(year: number, month: number): number {
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  return [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0;
}

function wholeDays(year: number, month: string | undefined, day: string | undefined): Interval {
  const text = String(year).padStart(4, '0');
  const lastMonth = month ?? '12';
  const lastDay = day ?? String(daysIn(year, Number(lastMonth)));
  return {
    lo: new Date(`${text}-${month ?? '01'}-${day ?? '01'}T00:00:00.000Z`),
    hi: new Date(`${text}-${lastMonth}-${lastDay}T23:59:59.999Z`),
  };
}

function clamp(time: number): Date {
  return new Date(Math.min(Math.max(time, FIRST_INSTANT.getTime()), LAST_INSTANT.getTime()));
}
