import { and, eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startInvalidation, stopInvalidation } from '#lib/infra/db/invalidation.ts';
import { membershipKey } from '#lib/infra/db/schema/identity.ts';
import { deployedBot } from '#lib/testing/bots.ts';
import { db } from '#lib/testing/set-up/own-db.ts';
import { createWorld, type World } from '#lib/testing/world.ts';
import { loadBot } from './load-bot.ts';

let world: World;
beforeAll(async () => {
  await startInvalidation();
  world = await createWorld();
});
afterAll(stopInvalidation);

async function makeBot() {
  const id = await deployedBot(world, 'export async function handler() { return 1; }');
  const [key] = await db()
    .select({ membershipId: membershipKey.membershipId })
    .from(membershipKey)
    .where(and(eq(membershipKey.projectId, world.projectId), eq(membershipKey.userRef, `Bot/${id}`)));
  const path = `/members/${key!.membershipId}`;
  const membership = (method: string, body?: unknown, more = '') => world.call(method, `${path}${more}`, { body });
  const isAlive = async () => (await loadBot(world.projectId, id))?.actor !== undefined;
  return { membership, isAlive };
}

const active = (value: boolean) => [{ op: 'add', path: '/active', value }];

test('a bot lives again as soon as its membership is active again', async () => {
  const { membership, isAlive } = await makeBot();
  expect(await isAlive()).toBe(true);
  for (const value of [false, true, false, true]) {
    expect((await membership('PATCH', active(value))).status).toBe(200);
    expect(await isAlive()).toBe(value);
  }
});

test('and as soon as it has one again', async () => {
  const { membership, isAlive } = await makeBot();
  expect((await membership('DELETE')).status).toBe(200);
  expect(await isAlive()).toBe(false);
  expect((await membership('POST', { version: 1 }, '/undo')).status).toBe(200);
  expect(await isAlive()).toBe(true);
});
