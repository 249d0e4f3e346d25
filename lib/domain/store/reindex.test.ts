import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { eq, sql } from 'drizzle-orm';
import { beforeEach, expect, test } from 'vitest';
import { fhirBase } from '#lib/base/fhir-base.ts';
import { transaction } from '#lib/infra/db/client.ts';
import { lockName } from '#lib/infra/db/lock-name.ts';
import { resource, resourceHistory } from '#lib/infra/db/schema/fhir/resource.ts';
import { auditEvent } from '#lib/infra/db/schema/operations.ts';
import { tryLease } from '#lib/infra/db/single/leases.ts';
import { extract } from '#lib/protocol/fhir/index/extract.ts';
import type { Resource } from '#lib/protocol/fhir/types.ts';
import { type Answer, callApi } from '#lib/testing/call-api.ts';
import { db } from '#lib/testing/set-up/own-db.ts';
import { skipOnCluster } from '#lib/testing/set-up/skip-on-cluster.ts';
import { createWorld, START_CTX, type World } from '#lib/testing/world.ts';
import { write } from '../audit/write.ts';
import { findRow, lockRow } from './find-row.ts';
import { type ReindexProgress, reindex } from './reindex.ts';
import { reindexRow } from './reindex-page.ts';
import { toResource } from './row.ts';
import { updateRow } from './update-row.ts';

let world: World;

beforeEach(async () => {
  world = await createWorld();
});

function call(method: string, path: string, body?: object): Promise<Answer> {
  return callApi(world.owner.bearer, method, `/fhir/R4/${path}`, { body });
}

const PATIENT = { resourceType: 'Patient', birthDate: '1980-02-03', identifier: [{ system: 'urn:x', value: '7' }] };

async function makePatients(count: number): Promise<string[]> {
  const made = await Promise.all(
    Array.from({ length: count }, (_, n) => call('POST', 'Patient', { ...PATIENT, name: [{ family: `Moss${n}` }] })),
  );
  return made.map(({ body }) => body.id).sort();
}

/** As after a migration that brings parameters which nobody has indexed yet. */
async function breakIndex(of: { projectId: string } = world): Promise<void> {
  await db().execute(sql`update resource set tokens = '{}', sort_date = null where project_id = ${of.projectId}::uuid`);
  await db().execute(sql`delete from ix_string where project_id = ${of.projectId}::uuid`);
  await db().execute(
    sql`update ix_date set lo = '1900-01-01', hi = '1900-01-01' where project_id = ${of.projectId}::uuid`,
  );
}

async function found(query: string): Promise<string[]> {
  const { body } = await call('GET', `Patient?${query}&_count=100`);
  return (body.entry ?? []).map(({ resource }: { resource: { id: string } }) => resource.id).sort();
}

const ownOf = () => reindex({ projectId: world.projectId });
const everything = () =>
  Promise.all([found('family=moss'), found('birthdate=1980-02-03'), found('identifier=urn:x|7')]);

/** All that a reindex must not touch. */
async function rest() {
  const { projectId } = world;
  const rows = await db().execute(sql`
    select type_id, id, version, last_updated, deleted, author, meta, content from resource where project_id = ${projectId}::uuid order by 1, 2`);
  const versions = await db().select().from(resourceHistory).where(eq(resourceHistory.projectId, projectId));
  return [rows, versions.length, await db().$count(auditEvent, eq(auditEvent.projectId, projectId))];
}

test('what a row tells of its date since there is that column is told of old rows, too', async () => {
  const [id] = await makePatients(1);
  const told = () =>
    db().execute(sql`select sort_end from resource where project_id = ${world.projectId} and id = ${id}`);
  const before = await told();
  await db().execute(sql`update resource set sort_end = default where project_id = ${world.projectId}`);
  expect(await told()).toEqual([{ sort_end: 'infinity' }]);
  expect(await found('birthdate=1980-02-03')).toEqual([id]);
  expect((await ownOf()).changed).toBe(1);
  expect(await told()).toEqual(before);
  expect((await ownOf()).changed).toBe(0);
});

test('what the index has lost is found again; nothing else has changed, and nobody else’s', async () => {
  const ids = await makePatients(5);
  const gone = (await makePatients(1))[0]!;
  await call('DELETE', `Patient/${gone}`);
  const before = await rest();
  await breakIndex();
  expect(await everything()).toEqual([[], [], []]);
  const other = await createWorld();
  await breakIndex(other);
  const { looked, changed, overtaken, refused } = await ownOf();
  expect(changed).toBeGreaterThanOrEqual(5);
  expect([looked >= changed, overtaken, refused]).toEqual([true, 0, 0]);
  expect(await everything()).toEqual([ids, ids, ids]);
  expect(await rest()).toEqual(before);
  expect(await ownOf()).toMatchObject({ looked, changed: 0 });
  expect((await reindex({ projectId: other.projectId })).changed).toBeGreaterThan(0);
});

test('one type only', async () => {
  const ids = await makePatients(2);
  await breakIndex();
  expect(await reindex({ projectId: world.projectId, type: 'Patient' })).toMatchObject({ looked: 2, changed: 2 });
  expect(await found('family=moss')).toEqual(ids);
  expect((await ownOf()).changed).toBeGreaterThan(0);
});

test('killed in the middle, the next run goes on there; afresh, it begins anew', async () => {
  const ids = await makePatients(10);
  await breakIndex();
  const child = fork(join(import.meta.dirname, '../../testing/processes/reindex-process.ts'), [world.projectId]);
  const next = async () => ((await once(child, 'message')) as [ReindexProgress])[0];
  let last = await next();
  for (let steps = 1; steps < 3; steps++) {
    child.send('go on');
    last = await next();
  }
  child.kill('SIGKILL');
  await once(child, 'exit');
  await expect.poll(isFree).toBe(true);
  expect(last.looked).toBeGreaterThan(3);
  const total = await db().$count(resource, sql`project_id = ${world.projectId}::uuid and not deleted`);
  const steps: ReindexProgress[] = [];
  const { looked } = await reindex(
    { projectId: world.projectId },
    { batch: 3, onProgress: (step) => steps.push(step) },
  );
  expect(looked).toBe(total);
  expect(steps[0]!.looked).toBeGreaterThan(last.looked);
  expect(await everything()).toEqual([ids, ids, ids]);
  await reindex({ projectId: world.projectId }, { stopped: AbortSignal.abort() });
  expect(await reindex({ projectId: world.projectId }, { afresh: true })).toMatchObject({ looked: total, changed: 0 });
});

test('a resource that is changed meanwhile is its writer’s', async (test) => {
  skipOnCluster(test, 'waits');
  const [id = ''] = await makePatients(1);
  await breakIndex();
  let running: ReturnType<typeof reindex> | undefined;
  await write(START_CTX, async (w) => {
    const row = (await lockRow(w.tx, world.projectId, 'Patient', id))!;
    await updateRow(w, row, { ...toResource<Resource>(row), name: [{ family: 'Fern' }] } as Resource, undefined);
    w.audit({ projectId: world.projectId, action: 'resource.update', target: `Patient/${id}` });
    running = reindex({ projectId: world.projectId, type: 'Patient' });
    await expect.poll(waitsForLock).toBe(true);
  });
  expect(await running).toMatchObject({ looked: 1, changed: 0, overtaken: 1 });
  expect([await found('family=moss'), await found('family=fern')]).toEqual([[], [id]]);
  expect(await ownOf()).toMatchObject({ overtaken: 0 });
  expect(await ownOf()).toMatchObject({ changed: 0 });
});

test('a writer who waits for it replaces what it wrote', async (test) => {
  skipOnCluster(test, 'waits');
  const [id = ''] = await makePatients(1);
  await breakIndex();
  let writing: Promise<Answer> | undefined;
  await transaction(async (tx) => {
    const row = (await findRow(world.projectId, 'Patient', id))!;
    expect(await reindexRow(tx, row, extract(world.projectId, toResource(row), fhirBase()))).toBe(true);
    writing = call('PUT', `Patient/${id}`, { ...PATIENT, id, name: [{ family: 'Fern' }] });
    await expect.poll(waitsForLock).toBe(true);
  });
  expect((await writing)?.status).toBe(200);
  expect([await found('family=moss'), await found('family=fern')]).toEqual([[], [id]]);
  expect(await reindex({ projectId: world.projectId, type: 'Patient' })).toMatchObject({ changed: 0 });
});

test('one at a time', async () => {
  await transaction(async (tx) => {
    // As `tryLease` names its only place.
    await lockName(tx, 'reindex/1');
    await expect(ownOf()).rejects.toThrow('Another reindex is under way');
  });
  await ownOf();
});

/** PostgreSQL learns a moment later that a process is gone. */
async function isFree(): Promise<boolean> {
  const lease = await tryLease('reindex', 1);
  lease?.release();
  return lease !== undefined;
}

async function waitsForLock(): Promise<boolean> {
  const rows = await db().execute(sql`
    select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%resource%'`);
  return rows.length > 0;
}
