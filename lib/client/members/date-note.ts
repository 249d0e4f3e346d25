import { toEntryDates } from '#lib/protocol/fhir/identity/membership-dates.ts';
import { parseInterval } from '#lib/protocol/fhir/index/date-range.ts';
import type { Member } from '../api/types.ts';

/** `state`: whether they are in by their dates, and will stay. `text`: the date that matters most now, to stand after a status. */
export type DateNote = { state: 'in' | 'ends' | 'away' | 'ended'; text: string };

/** What the dates of a member come to; undefined where there are none that matter any more. */
export function toDateNote(member: Member, now = Date.now()): DateNote | undefined {
  const { from, until } = toEntryDates(member);
  const { period, suspendedUntil } = member;
  if (until !== undefined && until <= now) return { state: 'ended', text: `ended ${toDayOf(period?.end)}` };
  if (from !== undefined && from > now) {
    const isLeave = suspendedUntil !== undefined && parseInterval(suspendedUntil)?.lo.getTime() === from;
    const text = isLeave ? `on leave until ${toDayOf(suspendedUntil)}` : `from ${toDayOf(period?.start)}`;
    return { state: 'away', text };
  }
  if (until === undefined) return undefined;
  return { state: 'ends', text: `until ${toDayOf(period?.end)}` };
}

/** A date as precise as it is, and one with a time as the day that it is here: "3 December 2026". */
function toDayOf(text = ''): string {
  const isDay = !text.includes('T');
  const [, month, day] = text.split('-');
  return new Date(parseInterval(text)?.lo ?? text).toLocaleDateString('en-GB', {
    year: 'numeric',
    ...(month && { month: 'short' }),
    ...(day && { day: 'numeric' }),
    ...(isDay && { timeZone: 'UTC' }),
  });
}
