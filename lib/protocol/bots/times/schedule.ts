import { CronExpressionParser } from 'cron-parser';
import { AppError } from '#lib/base/errors.ts';
import type { Bot } from '../../fhir/types.ts';
import { TIME_ZONE } from './time-zone.ts';
import { timesOf } from './times-of.ts';
import { toExpressions } from './timing.ts';

/** When a bot runs by itself: at the times of each of these, in this zone. */
export type Schedule = { expressions: string[]; zone: string };

const UTC = 'UTC';
const HOUR = 3_600_000;
const MOST_CHARACTERS = 200;
/** From one February 29th to the next, at most. What is rarer is looked for long, and nobody waits for it. */
const FURTHEST_YEARS = 8;

type Scheduled = Pick<Bot, 'cronString' | 'cronTiming'> & { extension?: { url?: string; valueCode?: unknown }[] };

/** Of a Bot with `cronString` or `cronTiming`; undefined without. Throws 422 with the element that cannot be honoured. */
export function readSchedule(bot: Scheduled): Schedule | undefined {
  const { cronString, cronTiming } = bot;
  if (cronString === undefined && cronTiming === undefined) return undefined;
  const zone = readZone(bot);
  const expressions = cronString === undefined ? toExpressions(cronTiming ?? {}) : [readCron(cronString)];
  for (const expression of expressions) requireTimes(expression, zone);
  return { expressions, zone };
}

/** The times after an instant, as many as are asked for, of the next eight years. */
export function nextTimes(schedule: Schedule, after: Date, count: number): Date[] {
  return [...timesAfter(schedule, after, furthest(after)).take(count)];
}

function furthest(after: Date): Date {
  const until = new Date(after);
  until.setUTCFullYear(until.getUTCFullYear() + FURTHEST_YEARS);
  return until;
}

/**
 * What passed since `dueAt`, which was the next time, and is not after `now`: the last of it, how many there were before that (`most` or more of them are counted as
 * `most`), and what comes next.
 */
export function passedTimes(schedule: Schedule, dueAt: Date, now: Date, most: number): Passed {
  let lastAt = dueAt;
  let before = -1;
  for (const time of timesAfter(schedule, new Date(dueAt.getTime() - 1))) {
    if (time > now) return { lastAt, missed: Math.max(before, 0), nextAt: time };
    before += 1;
    lastAt = time;
    if (before === most) break;
  }
  const [nextAt] = timesAfter(schedule, now);
  if (!nextAt) throw new Error('There is no further time');
  return { lastAt: lastTime(schedule, lastAt, now), missed: most, nextAt };
}

export type Passed = { lastAt: Date; missed: number; nextAt: Date };

/** Each time once, one after the other: no further than anybody looks, and than `until`. */
function* timesAfter({ expressions, zone }: Schedule, after: Date, until?: Date): Generator<Date, undefined> {
  const all = expressions.map((expression) => {
    const times = timesOf(expression, zone, after.getTime(), until?.getTime());
    return { times, next: next(times) };
  });
  for (;;) {
    const first = Math.min(...all.map((one) => one.next));
    if (first === Number.POSITIVE_INFINITY || (until && first > until.getTime())) return;
    yield new Date(first);
    for (const one of all) if (one.next === first) one.next = next(one.times);
  }
}

/** Infinity: none. */
function next(times: Generator<number, undefined>): number {
  return times.next().value ?? Number.POSITIVE_INFINITY;
}

/** Not before `from`, which is one. Times are told forwards alone: it is looked for ever further back. */
function lastTime(schedule: Schedule, from: Date, now: Date): Date {
  for (let back = HOUR; now.getTime() - back > from.getTime(); back *= 2) {
    const last = lastOf(timesAfter(schedule, new Date(now.getTime() - back), now));
    if (last) return last;
  }
  return lastOf(timesAfter(schedule, from, now)) ?? from;
}

function lastOf(times: Iterable<Date>): Date | undefined {
  let last: Date | undefined;
  for (const time of times) last = time;
  return last;
}

function readCron(text: string): string {
  const fields = text.trim().split(/\s+/);
  const element = 'Bot.cronString';
  if (text.length > MOST_CHARACTERS) throw refused(element, `It has more than ${MOST_CHARACTERS} characters`);
  if (fields.length !== 5)
    throw refused(element, 'It has five fields: minute, hour, day of the month, month and day of the week');
  // H would be another time in every process.
  const at = fields.findIndex((field) => !/^[\w*,/?#-]+$/.test(field) || /(?:^|,)H(?:[,/(]|$)/i.test(field));
  if (at >= 0) throw refused(element, `${fields[at]} is not understood`);
  return fields.join(' ');
}

/** Also what is well written may name no time at all: February 30th. */
function requireTimes(expression: string, zone: string): void {
  try {
    CronExpressionParser.parse(expression, { tz: zone });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw refused('Bot.cronString', `It names no time: ${reason}`);
  }
  if (nextTimes({ expressions: [expression], zone }, new Date(), 1).length === 0)
    throw refused('Bot.cronString', `It names no time within ${FURTHEST_YEARS} years`);
}

function readZone({ extension = [] }: Scheduled): string {
  const at = extension.findIndex(({ url }) => url === TIME_ZONE);
  if (at < 0) return UTC;
  const zone = extension[at]?.valueCode;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: String(zone) }).resolvedOptions().timeZone;
  } catch {
    throw refused(`Bot.extension[${at}]`, 'It has no time zone of the tz database as its valueCode');
  }
}

function refused(expression: string, text: string): AppError {
  return new AppError('business-rule', text, { expression });
}
