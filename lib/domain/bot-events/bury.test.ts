import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { botEvent, deadLetter } from '#lib/infra/db/schema/bot-events.ts';
import { db } from '#lib/testing/set-up/own-db.ts';
import { createWorld } from '#lib/testing/world.ts';
import { bury } from './bury.ts';

test('an event that an erasure has ended while it ran is no dead letter; one that waits is', async () => {
  const { projectId } = await createWorld();
  const [botId, ended, waiting] = [randomUUID(), randomUUID(), randomUUID()];
  for (const [id, state] of [
    [ended, 'ended'],
    [waiting, 'waiting'],
  ] as const) {
    await db().insert(botEvent).values({ projectId, id, botId, trigger: 'mail', key: id, state });
    const job = { name: 'event' as const, data: { projectId, id } };
    await bury({ projectId, id, botId, trigger: 'mail', job, focus: `mail ${id}`, attempts: 1, message: 'no' });
  }
  const letters = await db().select({ id: deadLetter.id }).from(deadLetter).where(eq(deadLetter.projectId, projectId));
  const events = await db().select().from(botEvent).where(eq(botEvent.projectId, projectId));
  expect(letters).toEqual([{ id: waiting }]);
  expect(new Map(events.map(({ id, state }) => [id, state]))).toEqual(
    new Map([
      [ended, 'ended'],
      [waiting, 'dead'],
    ]),
  );
});
