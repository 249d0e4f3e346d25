import { and, eq, ne, sql } from 'drizzle-orm';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { resourceHistory } from '#lib/infra/db/schema/fhir/resource.ts';
import { upkeep } from '#lib/infra/db/schema/operations.ts';
import { LEVEL_NAME } from '#lib/protocol/fhir/index/format.ts';
import { type Answer, callApi } from '#lib/testing/call-api.ts';
import { changeSettings } from '#lib/testing/change-settings.ts';
import { db } from '#lib/testing/set-up/own-db.ts';
import { createWorld, type World } from '#lib/testing/world.ts';
import { sweepHistory } from './sweep-history.ts';

let world: World;

beforeEach(async () => {
  world = await createWorld();
  await db().delete(upkeep).where(ne(upkeep.name, LEVEL_NAME));
  onTestFinished(changeSettings({ RETAIN_HISTORY_DAYS: 90 }));
});

function call(method: string, path: string, body?: object): Promise<Answer> {
  return callApi(world.owner.bearer, method, `/fhir/R4/${path}`, { body });
}

/** A resource whose versions came so many days ago, the first first; `delete` deletes it. */
async function makeVersions(...days: (number | 'delete')[]): Promise<string> {
  const made = await call('POST', 'Basic', { resourceType: 'Basic', code: { text: 'v1' } });
  const { id } = made.body;
  for (const [at, step] of days.entries()) {
    if (step === 'delete') await call('DELETE', `Basic/${id}`);
    else if (at > 0) await call('PUT', `Basic/${id}`, { resourceType: 'Basic', id, code: { text: `v${at + 1}` } });
  }
  for (const [at, step] of days.entries()) await makeOld(id, at + 1, step === 'delete' ? 100 : step);
  return id;
}

async function makeOld(id: string, version: number, days: number): Promise<void> {
  await db()
    .update(resourceHistory)
    .set({ lastUpdated: new Date(Date.now() - days * 24 * 3_600_000) })
    .where(and(isOf(id), eq(resourceHistory.version, version)));
}

function isOf(id: string) {
  return and(eq(resourceHistory.projectId, world.projectId), eq(resourceHistory.id, id));
}

async function versions(id: string): Promise<number[]> {
  const rows = await db().select().from(resourceHistory).where(isOf(id));
  return rows.map(({ version }) => version).sort();
}

test('a version goes when another has succeeded it for so long; the current one stays, however old', async () => {
  const ids = [
    await makeVersions(400),
    await makeVersions(400, 300, 91),
    await makeVersions(400, 300, 89),
    await makeVersions(400, 10, 5),
  ];
  await sweepHistory();
  expect(await Promise.all(ids.map(versions))).toEqual([[1], [3], [2, 3], [1, 2, 3]]);
});

test('of what was deleted the last version before stays, and comes back', async () => {
  const id = await makeVersions(400, 300, 'delete');
  const revived = await makeVersions(400, 'delete', 95, 94);
  await sweepHistory();
  expect([await versions(id), await versions(revived)]).toEqual([[2, 3], [4]]);
  expect((await call('GET', `Basic/${id}/_history/2`)).body.code.text).toBe('v2');
});

test('what is gone answers 404 and says so; the history tells what is left', async () => {
  const id = await makeVersions(400, 300, 200);
  await sweepHistory();
  const [gone, never, current] = [
    await call('GET', `Basic/${id}/_history/1`),
    await call('GET', `Basic/${id}/_history/9`),
    await call('GET', `Basic/${id}/_history/3`),
  ];
  expect([gone.status, never.status, current.status]).toEqual([404, 404, 200]);
  expect(gone.body.issue[0].details.text).toBe('This version is not kept any more');
  expect(never.body.issue[0].details.text).toBe('Not found');
  const { body } = await call('GET', `Basic/${id}/_history`);
  expect([body.total, body.entry.length]).toEqual([1, 1]);
  expect((await call('GET', `Basic/${id}`)).body.meta.versionId).toBe('3');
});

test('nothing goes while history is kept forever', async () => {
  const id = await makeVersions(400, 300, 200);
  onTestFinished(changeSettings({ RETAIN_HISTORY_DAYS: 'forever' }));
  await sweepHistory();
  expect(await versions(id)).toEqual([1, 2, 3]);
});

test('what was looked at is not looked at again, and what was not reached is', async () => {
  const [early, late] = [await makeVersions(400, 300), await makeVersions(91, 90.5)];
  onTestFinished(changeSettings({ RETAIN_HISTORY_DAYS: 200 }));
  await sweepHistory();
  expect([await versions(early), await versions(late)]).toEqual([[2], [1, 2]]);
  const aborted = AbortSignal.abort();
  onTestFinished(changeSettings({ RETAIN_HISTORY_DAYS: 90 }));
  await sweepHistory(aborted);
  expect(await versions(late)).toEqual([1, 2]);
  await sweepHistory();
  expect(await versions(late)).toEqual([2]);
});

test('more versions than one step takes', async () => {
  const id = await makeVersions(400, 300);
  await db().execute(sql`
    insert into resource_history (project_id, type_id, id, version, op, last_updated, content)
    select project_id, type_id, id, n, 'update', last_updated + n * interval '1 second', content
    from resource_history, generate_series(3, 4500) n
    where project_id = ${world.projectId}::uuid and id = ${id} and version = 2`);
  await sweepHistory();
  expect(await versions(id)).toEqual([4500]);
});
