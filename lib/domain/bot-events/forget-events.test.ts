import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { botEvent, deadLetter } from '#lib/infra/db/schema/bot-events.ts';
import { db } from '#lib/testing/set-up/own-db.ts';
import { createWorld } from '#lib/testing/world.ts';
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
