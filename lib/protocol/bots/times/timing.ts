import type { Timing, TimingRepeat } from 'fhir/r4';
import { AppError } from '#lib/base/errors.ts';

const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const MINUTES: Record<string, number> = { min: 1, h: 60, d: 24 * 60, wk: 7 * 24 * 60 };
const DAY = 24 * 60;
const HONOURED = new Set(['frequency', 'period', 'periodUnit', 'dayOfWeek', 'timeOfDay']);
const MOST_TIMES = 96;

/**
 * FHIR's Timing as cron expressions, as far as it can be honoured to the minute: `timeOfDay` on each day, or on those of `dayOfWeek`; or so often in each
 * period, counted from midnight. Throws 422 with the element for everything else: what would not be honoured would be believed.
 */
export function toExpressions({ event, code, repeat }: Timing): string[] {
  if (event?.length) throw refused('event', 'is not supported: say repeat');
  if (code) throw refused('code', 'is not supported: say repeat');
  if (!repeat) throw refused('repeat', 'is missing');
  const other = Object.keys(repeat).find((name) => !HONOURED.has(name));
  if (other) throw refused(`repeat.${other}`, 'is not supported');
  const days = repeat.dayOfWeek?.length ? [...new Set(repeat.dayOfWeek)].map((day) => DAYS.indexOf(day)).sort() : '*';
  const minutes = repeat.timeOfDay?.length ? atTimes(repeat) : inPeriods(repeat);
  const byMinute = Map.groupBy([...new Set(minutes)], (minute) => minute % 60);
  return [...byMinute].map(([minute, all]) => {
    const hours = all.map((each) => Math.floor(each / 60)).sort((a, b) => a - b);
    return `${minute} ${hours.length === 24 ? '*' : hours.join()} * * ${days}`;
  });
}

/** Minutes of the day. */
function atTimes({
  timeOfDay = [],
  frequency = timeOfDay.length,
  period = 1,
  periodUnit = 'd',
  dayOfWeek,
}: TimingRepeat) {
  const daily = period === 1 && (periodUnit === 'd' || (periodUnit === 'wk' && dayOfWeek?.length));
  if (!daily) throw refused('repeat.period', 'with timeOfDay is a day; or a week, with dayOfWeek');
  const expected = periodUnit === 'wk' ? timeOfDay.length * (dayOfWeek?.length ?? 1) : timeOfDay.length;
  if (frequency !== timeOfDay.length && frequency !== expected)
    throw refused('repeat.frequency', 'is not how many times timeOfDay has');
  if (timeOfDay.length > MOST_TIMES) throw refused('repeat.timeOfDay', `has ${MOST_TIMES} times at most`);
  return timeOfDay.map((time, at) => {
    const [, hours, minutes, seconds] = /^([01]\d|2[0-3]):([0-5]\d):(\d\d(?:\.\d+)?)$/.exec(time) ?? [];
    if (hours === undefined || Number(seconds) !== 0)
      throw refused(`repeat.timeOfDay[${at}]`, 'is a whole minute: hh:mm:00');
    return Number(hours) * 60 + Number(minutes);
  });
}

function inPeriods({ frequency = 1, period, periodUnit, dayOfWeek }: TimingRepeat): number[] {
  if (period === undefined) throw refused('repeat.period', 'is missing');
  const unit = MINUTES[periodUnit ?? ''];
  if (unit === undefined) throw refused('repeat.periodUnit', `is one of ${Object.keys(MINUTES).join(', ')}`);
  if (periodUnit === 'wk') {
    if (dayOfWeek?.length && period === 1 && (frequency === 1 || frequency === dayOfWeek.length)) return [0];
    throw refused('repeat.dayOfWeek', 'says on which days of each week');
  }
  const step = (period * unit) / frequency;
  if (!Number.isInteger(step) || step < 1)
    throw refused('repeat.frequency', 'is at most once a minute, at whole minutes');
  if (step > DAY || DAY % step !== 0) throw refused('repeat.period', 'does not divide a day into equal parts');
  return Array.from({ length: DAY / step }, (_, index) => index * step);
}

function refused(element: string, text: string): AppError {
  const expression = `Bot.cronTiming.${element}`;
  return new AppError('business-rule', `${expression} ${text}`, { expression });
}
