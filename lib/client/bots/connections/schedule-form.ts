import { TIME_ZONE } from '#lib/protocol/bots/times/time-zone.ts';
import type { Bot } from '#lib/protocol/fhir/types.ts';

export const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
export type Day = (typeof DAYS)[number];

/**
 * When a bot runs by itself, as a form says it. `times`: "08:30, 17:00". `other`: a Timing that has more than times and days, which stays as it is. `zone`: empty for
 * UTC.
 */
export type ScheduleForm = {
  kind: 'none' | 'times' | 'cron' | 'other';
  cron: string;
  times: string;
  days: Day[];
  zone: string;
};

type Scheduled = Pick<Bot, 'cronString' | 'cronTiming' | 'extension'>;

export function toScheduleForm({ cronString, cronTiming, extension = [] }: Scheduled): ScheduleForm {
  const zone = extension.find(({ url }) => url === TIME_ZONE)?.valueCode ?? '';
  const form: ScheduleForm = { kind: 'none', cron: '', times: '', days: [], zone };
  if (cronString !== undefined) return { ...form, kind: 'cron', cron: cronString };
  if (cronTiming === undefined) return form;
  const { repeat = {}, ...rest } = cronTiming;
  const { timeOfDay = [], dayOfWeek = [], frequency, period = 1, periodUnit = 'd', ...more } = repeat;
  const isPlain = Object.keys({ ...rest, ...more }).length === 0 && timeOfDay.length > 0 && period === 1;
  if (!isPlain || periodUnit !== 'd' || (frequency !== undefined && frequency !== timeOfDay.length))
    return { ...form, kind: 'other' };
  return { ...form, kind: 'times', times: timeOfDay.map((time) => time.slice(0, 5)).join(', '), days: dayOfWeek };
}

/** The same as a Bot has it; what else that has stays. */
export function toSchedule(
  { kind, cron, zone, ...form }: ScheduleForm,
  { cronTiming, extension = [] }: Scheduled,
): Scheduled {
  const others = extension.filter(({ url }) => url !== TIME_ZONE);
  const zoned = kind !== 'none' && zone.trim() !== '' ? [{ url: TIME_ZONE, valueCode: zone.trim() }] : [];
  const all = [...others, ...zoned];
  return {
    cronString: kind === 'cron' ? cron.trim() : undefined,
    cronTiming: kind === 'times' ? toTiming(form) : kind === 'other' ? cronTiming : undefined,
    extension: all.length > 0 ? all : undefined,
  };
}

/** What the server is asked for the next times of; undefined where there is nothing to ask yet. */
export function toScheduleQuery({ kind, cron, zone, ...form }: ScheduleForm): Record<string, string> | undefined {
  const zoned: Record<string, string> = zone.trim() ? { zone: zone.trim() } : {};
  if (kind === 'cron') return cron.trim() ? { cron: cron.trim(), ...zoned } : undefined;
  if (kind !== 'times' || form.times.trim() === '') return undefined;
  return { timing: JSON.stringify(toTiming(form)), ...zoned };
}

function toTiming({ times, days }: Pick<ScheduleForm, 'times' | 'days'>) {
  const timeOfDay = times
    .split(/[\s,;]+/)
    .filter(Boolean)
    .map((time) => (/^\d:\d\d$/.test(time) ? `0${time}:00` : /^\d\d:\d\d$/.test(time) ? `${time}:00` : time));
  const dayOfWeek = DAYS.filter((day) => days.includes(day));
  return {
    repeat: {
      frequency: timeOfDay.length,
      period: 1,
      periodUnit: 'd' as const,
      timeOfDay,
      ...(dayOfWeek.length > 0 && { dayOfWeek }),
    },
  };
}
