import { beforeAll, expect, test } from 'vitest';
import { newId } from '#lib/base/ids.ts';
import { expectOutcome } from '#lib/testing/call-api.ts';
import { makeClient } from '#lib/testing/people.ts';
import { createWorld, type World } from '#lib/testing/world.ts';

let world: World;
let path: string;

beforeAll(async () => {
  world = await createWorld();
  const made = await world.call('POST', '/bot', { body: { name: 'Nightly' } });
  path = `/bots/${made.body.id}/schedule`;
});

const ask = (query: Record<string, string>) => world.call('GET', `${path}?${new URLSearchParams(query)}`);
const timing = (repeat: object) => JSON.stringify({ repeat });

test('200: five times of what a bot would say, in its zone, before it says it', async () => {
  const none = await world.call('GET', path);
  expect([none.status, none.body]).toEqual([200, { zone: null, next: [], lastAt: null, note: null, missed: null }]);
  const cron = (await ask({ cron: '30 8 * * 1', zone: 'Asia/Tokyo' })).body;
  expect([cron.zone, cron.next.length]).toEqual(['Asia/Tokyo', 5]);
  // Tokyo has no summer time: 8:30 is the evening before in UTC.
  expect(cron.next.every((time: string) => time.endsWith('T23:30:00.000Z') && new Date(time).getUTCDay() === 0)).toBe(
    true,
  );
  const repeat = { frequency: 2, period: 1, periodUnit: 'd', timeOfDay: ['06:00:00', '18:15:00'], dayOfWeek: ['mon'] };
  const times = (await ask({ timing: timing(repeat) })).body;
  expect(times.zone).toBe('UTC');
  expect(new Set(times.next.map((time: string) => time.slice(11, 16)))).toEqual(new Set(['06:00', '18:15']));
});

test('400 for what is no question, 422 by name for times that are none', async () => {
  const wrong: Record<string, string>[] = [
    { timing: '{' },
    { timing: '{"repeat":{"when":["AC"]}}' },
    { timing: timing({ period: -1 }) },
    { timing: timing({ period: 1, periodUnit: 'd' }), cron: '* * * * *' },
    { cron: '*'.repeat(201) },
    { more: 'x' },
  ];
  for (const query of wrong) expectOutcome(await ask(query), 400);
  for (const [query, element] of [
    [{ cron: '61 * * * *' }, 'Bot.cronString'],
    [{ cron: '* * * * *', zone: 'Nowhere/Else' }, 'Bot.extension[0]'],
    [{ timing: timing({ period: 1, periodUnit: 'd', timeOfDay: ['24:00:00'] }) }, 'Bot.cronTiming.repeat.timeOfDay[0]'],
  ] as [Record<string, string>, string][]) {
    const answer = await ask(query);
    expect([answer.status, answer.body.issue[0].expression]).toEqual([422, [element]]);
  }
});

test('401 without a token, 403 for who is no administrator, 404 for a bot that is not of the project', async () => {
  expect((await world.call('GET', path, { bearer: null })).status).toBe(401);
  const { basic } = await makeClient(world.projectId);
  expectOutcome(await world.call('GET', path, { bearer: basic }), 403);
  for (const id of [newId(), 'nonsense']) expectOutcome(await world.call('GET', `/bots/${id}/schedule`), 404);
  const other = await createWorld();
  expectOutcome(await other.call('GET', path), 404);
});
