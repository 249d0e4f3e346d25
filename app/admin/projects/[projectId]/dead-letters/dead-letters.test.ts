import { eq } from 'drizzle-orm';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newId } from '#lib/base/ids.ts';
import { bury } from '#lib/domain/bot-events/bury.ts';
import { deadLetter } from '#lib/infra/db/schema/bot-events.ts';
import { callApi, expectOutcome } from '#lib/testing/call-api.ts';
import { makeClient } from '#lib/testing/people.ts';
import { db } from '#lib/testing/set-up/own-db.ts';
import { createWorld, type World } from '#lib/testing/world.ts';

let world: World;
let bot: string;

beforeAll(async () => {
  world = await createWorld();
  bot = await makeBot('Test bot');
});
beforeEach(() => db().delete(deadLetter).where(eq(deadLetter.projectId, world.projectId)));

async function makeBot(name: string): Promise<string> {
  const made = await world.call('POST', '/bot', { body: { name } });
  expect(made.status, made.text).toBe(201);
  return made.body.id;
}

async function letter(message: string, botId: string | null = bot, projectId = world.projectId): Promise<string> {
  const id = newId();
  const job = { name: 'event' as const, data: { projectId, eventId: id } };
  await bury({ projectId, id, botId, trigger: 'webhook', job, focus: `message ${id}`, attempts: 1, message });
  return id;
}

const all = async (query = '') => (await world.call('GET', `/dead-letters${query}`)).body.rows as { id: string }[];

describe('200', () => {
  test('what failed alike is one group, with its number, its bot by name and what one of them says', async () => {
    for (const n of [1, 2, 3]) await letter(`Error: no bed ${n}\n  at handler`);
    const other = await makeBot('Another');
    await letter('Error: no bed 1', other);
    await letter('Not found', null);
    const { body } = await world.call('GET', '/dead-letters/groups');
    expect(body).toMatchObject({ more: false, waiting: 0, waitingUntil: null });
    expect(
      body.rows.map(({ count, bot: of, trigger }: { count: number; bot: object; trigger: string }) => [
        count,
        of,
        trigger,
      ]),
    ).toEqual([
      [1, null, 'webhook'],
      [1, { reference: `Bot/${other}`, display: 'Another' }, 'webhook'],
      [3, { reference: `Bot/${bot}`, display: 'Test bot' }, 'webhook'],
    ]);
    expect(body.rows[2].message).toMatch(/^Error: no bed/);
    const own = (await world.call('GET', `/dead-letters/groups?bot=${other}`)).body.rows;
    expect(own).toHaveLength(1);
    expect(await all(`?fingerprint=${body.rows[2].fingerprint}`)).toHaveLength(3);
  });

  test('they are told a page at a time, and dropped by their ids or all that fit', async () => {
    const ids = [await letter('a'), await letter('b'), await letter('c')];
    const first = (await world.call('GET', '/dead-letters?_count=2')).body;
    const second = (await world.call('GET', `/dead-letters?_count=2&cursor=${first.next}`)).body;
    expect([...first.rows, ...second.rows].map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
    expect(second.next).toBeNull();
    expect((await world.call('POST', '/dead-letters/drop', { body: { ids: [ids[0], newId()] } })).body).toEqual({
      count: 1,
      more: false,
    });
    expect((await world.call('POST', '/dead-letters/drop', { body: { all: { bot } } })).body).toEqual({
      count: 2,
      more: false,
    });
    expect(await all()).toEqual([]);
  });
});

const CALLS: [method: string, path: string, body?: object][] = [
  ['GET', '/dead-letters'],
  ['GET', '/dead-letters/groups'],
  ['POST', '/dead-letters/replay', { all: {} }],
  ['POST', '/dead-letters/drop', { all: {} }],
];

test.each([
  ['GET', '/dead-letters?bot=x'],
  ['GET', '/dead-letters?trigger=http'],
  ['GET', '/dead-letters?cursor=nonsense'],
  ['GET', '/dead-letters?more=1'],
  ['GET', '/dead-letters/groups?bot=x'],
  ['GET', `/dead-letters/groups?fingerprint=${'x'.repeat(65)}`],
  ['POST', '/dead-letters/replay', {}],
  ['POST', '/dead-letters/replay', { ids: [] }],
  ['POST', '/dead-letters/drop', { ids: ['x'] }],
  ['POST', '/dead-letters/drop', { ids: [newId()], all: {} }],
  ['POST', '/dead-letters/drop', { all: { more: 1 } }],
])('400: %s %s %j', async (method, path, body?: object) => {
  await letter('stays');
  expectOutcome(await world.call(method, path, body && { body }), 400);
  expect(await all()).toHaveLength(1);
});

test('400 with the field where nobody can say which are meant', async () => {
  for (const body of [{}, { ids: [newId()], all: {} }])
    expectOutcome(await world.call('POST', '/dead-letters/replay', { body }), 400, 'ids');
});

test.each(CALLS)('401 without a token, 403 for who is no administrator: %s %s', async (method, path, body) => {
  await letter('stays');
  const given = body && { body };
  expect((await world.call(method, path, { ...given, bearer: null })).status).toBe(401);
  const { basic } = await makeClient(world.projectId);
  expectOutcome(await world.call(method, path, { ...given, bearer: basic }), 403);
  expect(await all()).toHaveLength(1);
});

test.each(CALLS)('what is of another project is not there: %s %s', async (method, path, body) => {
  const other = await createWorld();
  await letter('theirs', null, other.projectId);
  const given = body && { body };
  const foreign = await callApi(world.owner.bearer, method, `/admin/projects/${other.projectId}${path}`, given);
  expect([403, 404]).toContain(foreign.status);
  const own = await world.call(method, path, given);
  expect([own.body.rows ?? [], own.body.count ?? 0]).toEqual([[], 0]);
  expect((await other.call('GET', '/dead-letters')).body.rows).toHaveLength(1);
});
