import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { transaction } from '#lib/infra/db/client.ts';
import { botEvent, deadLetter } from '#lib/infra/db/schema/bot-events.ts';
import { db } from '#lib/testing/set-up/own-db.ts';
import { createWorld } from '#lib/testing/world.ts';
import { bury } from './bury.ts';
import { forgetEvents } from './forget-events.ts';

test('with an event that names what is erased its dead letter goes, which does not name it; others stay', async () => {
  const { projectId } = await createWorld();
  const [erased, other, name] = [randomUUID(), randomUUID(), randomUUID()];
  const at = new Date();
  for (const [id, input] of [
    [erased, `{"of":"Patient/${name}"}`],
    [other, '{}'],
  ] as const) {
    const botId = randomUUID();
    await db().insert(botEvent).values({ projectId, id, botId, trigger: 'mail', key: id, state: 'dead', input });
    const letter = { trigger: 'mail', job: {}, focus: `mail ${id}`, attempts: 1, firstFailedAt: at, lastFailedAt: at };
    await db()
      .insert(deadLetter)
      .values({ projectId, id, botId, ...letter, message: 'no', fingerprint: 'f' });
  }
  await forgetEvents(db(), projectId, name);
  const letters = await db().select({ id: deadLetter.id }).from(deadLetter).where(eq(deadLetter.projectId, projectId));
  const events = await db().select().from(botEvent).where(eq(botEvent.projectId, projectId));
  expect(letters).toEqual([{ id: other }]);
  expect(new Map(events.map(({ id, state, input }) => [id, [state, input]]))).toEqual(
    new Map([
      [erased, ['ended', null]],
      [other, ['dead', '{}']],
    ]),
  );
});

test('an event that is given up while it is erased leaves no letter, whichever is first', async () => {
  const { projectId } = await createWorld();
  const [botId, name] = [randomUUID(), randomUUID()];
  const ids = Array.from({ length: 40 }, () => randomUUID());
  const of = { projectId, botId, trigger: 'mail', input: `{"of":"Patient/${name}"}` };
  await db()
    .insert(botEvent)
    .values(ids.map((id) => ({ ...of, id, key: id, state: 'waiting' as const })));
  const giveUp = (id: string) =>
    bury({
      ...{ projectId, id, botId, trigger: 'mail', job: { name: 'event', data: { projectId, id } } },
      ...{ focus: `mail ${id}`, attempts: 1, message: 'no' },
    });
  const burials = ids.map(giveUp);
  await Promise.race(burials);
  await transaction((tx) => forgetEvents(tx, projectId, name));
  await Promise.all(burials);
  expect(await db().select().from(deadLetter).where(eq(deadLetter.projectId, projectId))).toEqual([]);
  const events = await db().select().from(botEvent).where(eq(botEvent.projectId, projectId));
  expect(new Set(events.map(({ state }) => state))).toEqual(new Set(['ended']));
});
