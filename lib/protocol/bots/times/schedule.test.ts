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
