import { randomUUID } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { botEvent, deadLetter } from '#lib/infra/db/schema/bot-events.ts';
import { sweep } from '#lib/infra/db/sweep.ts';
import { db } from '#lib/testing/set-up/own-db.ts';
import { createWorld } from '#lib/testing/world.ts';
import { bury } from './bury.ts';
import { over } from './over.ts';

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

test('what an event was given goes with its letter, when that is over or there are too many; its key stays known', async () => {
  const { projectId } = await createWorld();
  const botId = randomUUID();
  const [old, oldest, kept] = [randomUUID(), randomUUID(), randomUUID()];
  const days = { [old]: 40, [oldest]: 20, [kept]: 1 };
  for (const [id, age] of Object.entries(days)) {
    const at = new Date(Date.now() - age * 24 * 3_600_000);
    const event = { projectId, id, botId, trigger: 'mail' as const, key: id, input: '{}' };
    await db()
      .insert(botEvent)
      .values({ ...event, state: 'dead', endedAt: new Date() });
    const letter = { projectId, id, botId, trigger: 'mail' as const, job: {}, focus: `mail ${id}`, attempts: 1 };
    await db()
      .insert(deadLetter)
      .values({ ...letter, message: 'no', fingerprint: 'f', firstFailedAt: at, lastFailedAt: at });
  }
  await sweep(over());
  await db().execute(sql`
    insert into dead_letter (project_id, id, bot_id, trigger, job, focus, attempts, first_failed_at, last_failed_at, message, fingerprint)
    select ${projectId}::uuid, gen_random_uuid(), ${botId}::uuid, 'mail', '{}', n::text, 1, now(), now(), 'no', 'f' from generate_series(1, 9998) n`);
  const id = randomUUID();
  await db().insert(botEvent).values({ projectId, id, botId, trigger: 'mail', key: id, state: 'waiting' });
  const job = { name: 'event' as const, data: { projectId, id } };
  await bury({ projectId, id, botId, trigger: 'mail', job, focus: `mail ${id}`, attempts: 1, message: 'no' });
  const events = await db().select().from(botEvent).where(eq(botEvent.projectId, projectId));
  expect(new Map(events.map((event) => [event.id, [event.state, event.input]]))).toEqual(
    new Map([
      [old, ['ended', null]],
      [oldest, ['ended', null]],
      [kept, ['dead', '{}']],
      [id, ['dead', null]],
    ]),
  );
});
