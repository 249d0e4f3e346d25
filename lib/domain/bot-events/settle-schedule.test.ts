import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { write } from '#lib/domain/audit/write.ts';
import { db } from '#lib/testing/set-up/own-db.ts';
import { createWorld, START_CTX } from '#lib/testing/world.ts';
import { settleSchedules } from './settle-schedule.ts';

test('a project that came with more bots than are looked at together has times for each', async () => {
  const world = await createWorld();
  const { id } = (await world.call('POST', '/bot', { body: { name: 'Nightly' } })).body;
  await db().execute(sql`
    update resource set content = content || '{"cronString":"0 3 * * *"}' where project_id = ${world.projectId} and id = ${id}`);
  await db().execute(sql`
    insert into resource select (jsonb_populate_record(r, jsonb_build_object('id', gen_random_uuid()::text))).*
      from resource r cross join generate_series(1, 1000) where r.project_id = ${world.projectId} and r.id = ${id}`);
  await write(
    START_CTX,
    async (w) => {
      w.unchanged();
      await settleSchedules(w, world.projectId);
    },
    { notes: true },
  );
  const [found] = await db().execute(
    sql`select count(*)::int as count from bot_schedule where project_id = ${world.projectId}`,
  );
  expect(found!.count).toBe(1001);
});
