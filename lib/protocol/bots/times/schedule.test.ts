import { expect, test } from 'vitest';
import { nextTimes, passedTimes, readSchedule, type Schedule } from './schedule.ts';

const BERLIN = 'Europe/Berlin';
const at = (text: string) => new Date(text);

/** As they are fired, one look after the other a moment after each is due. */
function firedBetween(schedule: Schedule, from: string, to: string) {
  const fired: string[] = [];
  for (let [due] = nextTimes(schedule, at(from), 1); due! < at(to); ) {
    const { lastAt, missed, nextAt } = passedTimes(schedule, due!, new Date(due!.getTime() + 500), 1000);
    expect(missed).toBe(0);
    fired.push(lastAt.toISOString());
    due = nextAt;
  }
  return fired;
}

test.each([
  ['30 2 * * *', ['2026-03-28T01:30:00.000Z', '2026-03-29T01:30:00.000Z', '2026-03-30T00:30:00.000Z']],
  ['30 2 * * 0', ['2026-03-29T01:30:00.000Z']],
  ['0 2,14 * * 0', ['2026-03-29T01:00:00.000Z', '2026-03-29T12:00:00.000Z']],
])('%s runs also on the day on which its hour is skipped, once', (expression, times) => {
  const schedule = { expressions: [expression], zone: BERLIN };
  expect(firedBetween(schedule, '2026-03-27T12:00:00Z', '2026-03-30T12:00:00Z')).toEqual(times);
});

test('an hour that comes twice is one time of a day', () => {
  const schedule = { expressions: ['30 2 * * *'], zone: BERLIN };
  expect(firedBetween(schedule, '2026-10-24T12:00:00Z', '2026-10-26T12:00:00Z')).toHaveLength(2);
});

test('of what passed the last is told, what was before it is counted, and what comes next', () => {
  const schedule = { expressions: ['*/10 * * * *', '5 * * * *'], zone: 'UTC' };
  expect(passedTimes(schedule, at('2026-01-01T00:00:00Z'), at('2026-01-01T01:07:00Z'), 1000)).toEqual({
    lastAt: at('2026-01-01T01:05:00Z'),
    missed: 8,
    nextAt: at('2026-01-01T01:10:00Z'),
  });
  expect(passedTimes(schedule, at('2026-01-01T00:00:00Z'), at('2026-02-01T00:00:30Z'), 100)).toEqual({
    lastAt: at('2026-02-01T00:00:00Z'),
    missed: 100,
    nextAt: at('2026-02-01T00:05:00Z'),
  });
});

test('what comes within eight years is a time, and what is rarer is looked for by nobody', () => {
  expect(readSchedule({ cronString: '0 0 29 2 *' })).toBeDefined();
  for (const cronString of ['0 0 * 2 1#5', '59 23 30 2 6#5'])
    expect(() => readSchedule({ cronString })).toThrow('It names no time within 8 years');
  const rare = { expressions: ['0 0 * 2 1#5'], zone: 'UTC' };
  expect(nextTimes(rare, at('2026-11-28T00:00:00Z'), 5)).toEqual([]);
  expect(nextTimes(rare, at('2040-01-01T00:00:00Z'), 5)).toEqual([at('2044-02-29T00:00:00Z')]);
});

test('a time that is due exactly now is the last, and not the next', () => {
  const schedule = { expressions: ['0 0 29 2 *'], zone: 'UTC' };
  const due = at('2028-02-29T00:00:00Z');
  expect(passedTimes(schedule, due, due, 1000)).toEqual({ lastAt: due, missed: 0, nextAt: at('2032-02-29T00:00:00Z') });
});

test.each([
  [
    'Australia/Lord_Howe',
    '0 3 * * *',
    '2026-04-03T12:00:00Z',
    ['2026-04-03T16:00:00.000Z', '2026-04-04T16:30:00.000Z', '2026-04-05T16:30:00.000Z'],
  ],
  [
    'Australia/Lord_Howe',
    '0 */6 * * *',
    '2026-04-04T12:00:00Z',
    ['2026-04-04T13:00:00.000Z', '2026-04-04T19:30:00.000Z', '2026-04-05T01:30:00.000Z'],
  ],
  [
    'Australia/Lord_Howe',
    '0 * * * *',
    '2026-04-04T13:30:00Z',
    ['2026-04-04T14:00:00.000Z', '2026-04-04T15:30:00.000Z', '2026-04-04T16:30:00.000Z'],
  ],
  [
    'Australia/Lord_Howe',
    '15,30 2 * * *',
    '2026-10-03T12:00:00Z',
    ['2026-10-03T15:30:00.000Z', '2026-10-03T15:45:00.000Z', '2026-10-04T15:15:00.000Z'],
  ],
  [
    'Pacific/Chatham',
    '*/15 * * * *',
    '2026-04-04T13:20:00Z',
    ['2026-04-04T13:30:00.000Z', '2026-04-04T13:45:00.000Z', '2026-04-04T14:00:00.000Z'],
  ],
  [
    'America/Nuuk',
    '15 23 * * *',
    '2026-03-27T12:00:00Z',
    ['2026-03-28T01:15:00.000Z', '2026-03-29T01:15:00.000Z', '2026-03-30T00:15:00.000Z'],
  ],
])('in %s %s comes at its times when clocks change', (zone, expression, from, times) => {
  const schedule = { expressions: [expression], zone };
  const until = new Date(Date.parse(times.at(-1)!) + 1).toISOString();
  expect(firedBetween(schedule, from, until)).toEqual(times);
});

test('an hour that comes twice is two of each hour, and what is asked for in the midst of it goes on there', () => {
  const schedule = { expressions: ['*/30 * * * *'], zone: BERLIN };
  const times = ['00:00', '00:30', '01:00', '01:30', '02:00'].map((time) => at(`2026-10-25T${time}:00Z`));
  for (const [index, time] of times.slice(0, -1).entries())
    expect(nextTimes(schedule, time, times.length - index - 1)).toEqual(times.slice(index + 1));
  const daily = { expressions: ['30 2 * * *'], zone: BERLIN };
  expect(nextTimes(daily, at('2026-10-25T00:45:00Z'), 1)).toEqual([at('2026-10-26T01:30:00Z')]);
  expect(nextTimes(daily, at('2026-03-29T01:10:00Z'), 1)).toEqual([at('2026-03-29T01:30:00Z')]);
});

const ZONES = [
  'Australia/Lord_Howe',
  'Pacific/Chatham',
  'America/Nuuk',
  'America/Scoresbysund',
  'America/Santiago',
  'America/Asuncion',
  'America/Sao_Paulo',
  'America/Havana',
  'America/St_Johns',
  'America/New_York',
  'Asia/Beirut',
  'Africa/Cairo',
  'Europe/Berlin',
  'Europe/London',
  'Asia/Kathmandu',
  'Asia/Kolkata',
  'Pacific/Apia',
  'Pacific/Auckland',
  'Africa/Casablanca',
  'Antarctica/Troll',
  'UTC',
];
const DAY = 86_400_000;
/** Noons (UTC) after which a day's clock shows something else. */
const changesIn = (zone: string) => {
  const format = new Intl.DateTimeFormat('en', { timeZone: zone, timeStyle: 'short' });
  const noons = Array.from({ length: 365 }, (_, day) => Date.parse('2026-01-01T12:00:00Z') + day * DAY);
  return noons.filter((noon) => format.format(noon) !== format.format(noon + DAY));
};
const grow = (times: Date[]) => times.every((time, index) => index === 0 || time > times[index - 1]!);

test.each(ZONES)(
  'in %s a time of each day comes once on each, and what is frequent goes on through changes',
  (zone) => {
    const ofDays = ['0 3 * * *', '30 2 * * *', '0 0 * * *', '15 1,23 * * *'];
    for (const expression of ofDays) {
      const schedule = { expressions: [expression], zone };
      const each = expression.includes(',') ? 2 : 1;
      const times = nextTimes(schedule, at('2026-01-01T12:00:00Z'), each * 365);
      expect(grow(times), expression).toBe(true);
      const over = times.at(-1)!.getTime() - Date.parse('2027-01-01T12:00:00Z');
      expect(Math.abs(over), expression).toBeLessThan(DAY);
    }
    for (const change of [Date.parse('2026-06-15T12:00:00Z'), ...changesIn(zone)]) {
      const from = new Date(change - DAY);
      const within = (expression: string, count: number) => {
        const times = nextTimes({ expressions: [expression], zone }, from, count);
        expect(grow(times), expression).toBe(true);
        return times.at(-1)!.getTime() - from.getTime();
      };
      expect(within('*/15 * * * *', 3 * 96)).toBe(3 * DAY);
      expect(Math.abs(within('* 23 * * *', 3 * 60) - 3 * DAY)).toBeLessThan(DAY);
      expect(Math.abs(within('0 * * * *', 3 * 24) - 3 * DAY)).toBeLessThan(2 * 3_600_000);
    }
  },
);

test('of very many that passed through a change the last is told', () => {
  const schedule = { expressions: ['*/15 * * * *'], zone: 'Pacific/Chatham' };
  const now = at('2026-04-04T13:50:00Z');
  expect(passedTimes(schedule, at('2026-03-01T00:00:00Z'), now, 100)).toEqual({
    lastAt: at('2026-04-04T13:45:00Z'),
    missed: 100,
    nextAt: at('2026-04-04T14:00:00Z'),
  });
});
