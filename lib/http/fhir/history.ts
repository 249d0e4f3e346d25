import { AppError } from '#lib/base/errors.ts';
import type { HistoryPage } from '#lib/domain/rest/read-history.ts';
import { parseInterval } from '#lib/protocol/fhir/index/date-range.ts';
import { MAX_OFFSET } from '#lib/protocol/max-offset.ts';

const DEFAULT_COUNT = 20;
const MAX_COUNT = 1000;

/** The parameters of a history. Throws 400 for one that is unknown or makes no sense. */
export function readHistoryPage(url: URL): HistoryPage {
  const page: HistoryPage = { count: DEFAULT_COUNT };
  for (const [name, value] of url.searchParams) {
    if (name === '_count') page.count = Math.min(wholeNumber(name, value, 1), MAX_COUNT);
    else if (name === '_offset') page.offset = wholeNumber(name, value, 0);
    else if (name === '_cursor') page.before = wholeNumber(name, value, 1);
    else if (name === '_since') page.since = instant(value);
    else if (name !== '_format' && name !== '_pretty') throw bad(name, `Unknown parameter: ${name.slice(0, 80)}`);
  }
  if (page.offset !== undefined && page.offset > MAX_OFFSET) {
    throw bad('_offset', `_offset must be at most ${MAX_OFFSET}: follow the next link instead`);
  }
  if (page.offset !== undefined && page.before !== undefined) {
    throw bad('_cursor', '_cursor and _offset exclude each other');
  }
  return page;
}

function wholeNumber(name: string, value: string, least: number): number {
  if (!/^\d{1,9}$/.test(value) || Number(value) < least)
    throw bad(name, `${name} must be a whole number, ${least} or more`);
  return Number(value);
}

function instant(value: string): Date {
  // A `+` that was not percent-encoded arrives as a space.
  const interval = parseInterval(value.replace(/ (\d\d:\d\d)$/, '+$1'));
  if (!interval) throw bad('_since', '_since must be an instant like 2026-01-31T12:00:00Z');
  return interval.lo;
}

function bad(expression: string, text: string): AppError {
  return new AppError('invalid', text, { expression });
}
