import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { newId } from '#lib/base/ids.ts';
import { deployedBot } from '#lib/testing/bots.ts';
import { db } from '#lib/testing/set-up/own-db.ts';
import { createWorld } from '#lib/testing/world.ts';
import { fireSchedules } from './fire-schedules.ts';

test('while a time of a bot waits to be run the next are missed, and said to be; one that runs keeps none', async () => {
  const world = await createWorld();
  const botId = await deployedBot(world, 'export async function handler() {}', { cronString: '* * * * *' });
  const { projectId } = world;
  const events = () =>
    db().execute<{ id: string }>(sql`select id from bot_event where project_id = ${projectId} order by created_at, id`);
  const fire = async () => {
    // As if it were of another minute.
    await db().execute(sql`update bot_event set key = id::text where project_id = ${projectId}`);
    await db().execute(
      sql`update bot_schedule set next_at = date_trunc('minute', now()) where project_id = ${projectId}`,
    );
    await fireSchedules();
    return { waiting: (await events()).length, told: (await world.call('GET', `/bots/${botId}/schedule`)).body };
  };
  const note = 'An earlier time waits to be run';
  expect(await fire()).toMatchObject({ waiting: 1, told: { note: null } });
  const second = await fire();
  expect(second).toMatchObject({ waiting: 1, told: { note } });
  expect(second.told.missed.times).toBeGreaterThanOrEqual(1);
  const [first] = await events();
  await db().execute(sql`
    insert into bot_running (project_id, id, bot_id, version, trigger, requester, request_id, started_at, ends_by)
    values (${projectId}, ${newId()}, ${botId}, 1, 'cron', 'Bot/x', ${`cron-${first!.id}`}, now(), now() + interval '1 minute')`);
  expect(await fire()).toMatchObject({ waiting: 2, told: { note: null } });
  expect(await fire()).toMatchObject({ waiting: 2, told: { note } });
  // What is tried again for hours.
  await db().execute(sql`update bot_event set created_at = now() - interval '2 hours' where project_id = ${projectId}`);
  expect(await fire()).toMatchObject({ waiting: 3, told: { note: null } });
});

test('times of a bot of which nothing is live are said to be in vain, and make no dead letters', async () => {
  const world = await createWorld();
  const made = await world.call('POST', '/bot', { body: { name: 'A draft', cronString: '* * * * *' } });
  const where = sql`where project_id = ${world.projectId}`;
  await db().execute(sql`update bot_schedule set next_at = date_trunc('minute', now()) ${where}`);
  await fireSchedules();
  expect(await db().execute(sql`select id from bot_event ${where}`)).toHaveLength(0);
  const { note } = (await world.call('GET', `/bots/${made.body.id}/schedule`)).body;
  expect(note).toBe('No executable code: deploy the bot first');
});
