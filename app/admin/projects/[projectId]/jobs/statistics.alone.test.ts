import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { runBulkJob } from '#lib/domain/bulk-jobs/run-bulk-job.ts';
import { actorOfJob } from '#lib/http/server/bulk-worker.ts';
import { db } from '#lib/testing/set-up/own-db.ts';
import { createWorld, invitation } from '#lib/testing/world.ts';

const ROWS = 260;

/** How many rows the planner believes in; negative before anybody has counted. The cluster of the tests has no autovacuum. */
async function believed(table: string): Promise<number> {
  const [row] = await db().execute<{ reltuples: number }>(sql`select reltuples from pg_class where relname = ${table}`);
  return Number(row?.reltuples);
}

test('after a job of hundreds of rows the planner knows what stands in the tables of members', async () => {
  const world = await createWorld();
  const rows = Array.from({ length: ROWS }, (_, index) => invitation({ lastName: `Row${index}`, sendEmail: false }));
  const { status, body } = await world.call('POST', '/jobs', { body: { kind: 'invite', rows } });
  expect([status, await believed('membership_key')]).toEqual([202, -1]);
  await runBulkJob(world.projectId, body.id, actorOfJob, new AbortController().signal);
  for (const table of ['membership_key', 'bulk_job_row', 'resource_project_membership', 'ix_string']) {
    expect(await believed(table), table).toBeGreaterThanOrEqual(ROWS);
  }
});
