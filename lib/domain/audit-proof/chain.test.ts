import { readFileSync } from 'node:fs';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '#lib/base/ids.ts';
import { dropOver } from '#lib/http/server/sweeper.ts';
import { auditEvent } from '#lib/infra/db/schema/operations.ts';
import { type Break, verifyChain } from '#lib/protocol/audit/verify-chain.ts';
import { callApi } from '#lib/testing/call-api.ts';
import { callAuth } from '#lib/testing/call-auth.ts';
import { changeSettings } from '#lib/testing/change-settings.ts';
import { makeFhirProject } from '#lib/testing/fhir/fhir-project.ts';
import { db } from '#lib/testing/set-up/own-db.ts';
import { createSuperAdmin, createWorld, type World } from '#lib/testing/world.ts';
import { flushSeals, sealLost, startSealing } from '../audit/seal-soon.ts';

let stop: () => Promise<void>;
beforeAll(() => {
  stop = startSealing();
});
afterAll(() => stop());

const rowOf = (projectId: string, seq: number) =>
  sql`(select s.events[${seq}::int - s.first + 1] from audit_seal s where s.project_id = ${projectId} and ${seq}::bigint between s.first and s.last)`;

async function exported(world: World): Promise<string[]> {
  const answer = await world.call('GET', '/audit/export?format=chain');
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/x-ndjson; charset=utf-8']);
  return answer.text.trimEnd().split('\n');
}

async function keys() {
  return (await callAuth('GET', '/.well-known/audit-keys.json')).body.keys;
}

async function headOf(world: World): Promise<string> {
  return (await world.call('GET', '/audit/heads')).body.heads[0].jws;
}

async function verify(world: World, kept: string[] = []) {
  return verifyChain({ lines: await exported(world), keys: await keys(), kept });
}

const seen = (breaks: Break[]) => breaks.map(({ what, seq }) => `${what} ${seq}`);

/** With a log of ten rows and more, all sealed. */
async function chained(): Promise<World> {
  const world = await createWorld();
  for (let n = 0; n < 5; n += 1) await world.call('POST', '/client', { body: { name: `Client ${n}` } });
  await flushSeals();
  return world;
}

describe('the chain over the audit log', () => {
  test('holds from the first row to the head, without gaps, in every order of writing', async () => {
    const world = await chained();
    await Promise.all([1, 2, 3, 4].map((n) => world.call('POST', '/client', { body: { name: `At once ${n}` } })));
    const report = await verify(world, [await headOf(world)]);
    expect(report.breaks).toEqual([]);
    const count = await db().$count(auditEvent, sql`project_id = ${world.projectId}`);
    expect(report).toMatchObject({ holds: true, first: 1, last: count, rows: count });
    expect(report.head).toMatchObject({ project: world.projectId, seq: count, iss: 'http://localhost:3999' });
  });

  test('seals what a process that is gone left, also from before there was a chain, once', async () => {
    const world = await chained();
    const row = { projectId: world.projectId, action: 'resource.read', target: 'Patient/1', requestId: '' };
    const at = (minutes: number) => new Date(Date.now() - minutes * 60_000);
    await db()
      .insert(auditEvent)
      .values([10, 20, 6000].map((minutes) => ({ ...row, id: newId(), at: at(minutes) })));
    await sealLost();
    await sealLost();
    expect((await verify(world)).breaks).toEqual([]);
    const targets = (await exported(world)).filter((line) => line.includes('"Patient/1"'));
    expect(targets).toHaveLength(3);
  });

  test('seals 25,000 rows of before there was a chain, of which many are of one moment, in several steps', async () => {
    const world = await createWorld();
    await db().execute(sql`
      insert into audit_event (project_id, id, at, action, target, request_id)
      select ${world.projectId}, gen_random_uuid(), '2026-01-01Z'::timestamptz + (n / 12000) * interval '1 day', 'resource.read', 'Patient/' || n, 'r'
      from generate_series(1, 25000) n`);
    await sealLost();
    const report = await verify(world);
    expect(report.breaks).toEqual([]);
    expect(report.rows).toBeGreaterThanOrEqual(25_000);
  });

  test('what many seal at once is one chain', async () => {
    const world = await createWorld();
    const stopOther = startSealing();
    await Promise.all(
      Array.from({ length: 20 }, async (_, n) => {
        await world.call('POST', '/client', { body: { name: `C ${n}` } });
        await flushSeals();
      }),
    );
    await stopOther();
    startSealing();
    expect((await verify(world)).breaks).toEqual([]);
  });
});

describe('shows where it breaks', () => {
  test('a row was edited', async () => {
    const world = await chained();
    await db().execute(
      sql`update audit_event set actor = 'Practitioner/nobody' where project_id = ${world.projectId} and id = ${rowOf(world.projectId, 4)}`,
    );
    const { holds, breaks } = await verify(world);
    expect([holds, seen(breaks)]).toEqual([false, ['edited 4']]);
    expect(breaks[0]?.text).toMatch(/^Row 4 \([-0-9a-f]+, [a-z.-]+\) was changed/);
  });

  test('the value of a change was edited', async () => {
    const world = await chained();
    await db().execute(
      sql`update audit_event set after = '{"admin":false}' where project_id = ${world.projectId} and id = ${rowOf(world.projectId, 2)}`,
    );
    expect(seen((await verify(world)).breaks)).toEqual(['edited 2']);
  });

  test('a row was deleted in the middle, alone or with its place', async () => {
    const world = await chained();
    const head = await headOf(world);
    await db().execute(
      sql`delete from audit_event where project_id = ${world.projectId} and id = ${rowOf(world.projectId, 5)}`,
    );
    expect(seen((await verify(world)).breaks)).toEqual(['deleted 5']);
    const lines = await exported(world);
    const without = lines.filter((line) => !line.includes('"seq":5,'));
    expect(seen((await verifyChain({ lines: without, keys: await keys(), kept: [head] })).breaks)).toEqual(['gap 6']);
  });

  test('the newest were deleted with all that the database knows of them: who kept a head sees it', async () => {
    const world = await chained();
    const head = await headOf(world);
    const { last } = await verify(world);
    await cutAfter(world.projectId, 6);
    const { breaks } = await verify(world, [head]);
    // What was written since stands in their place, with other hashes.
    expect(seen(breaks).some((each) => /^(rewritten|newest) /.test(each))).toBe(true);
    expect((await verify(world)).holds).toBe(true);
    expect(last).toBeGreaterThan(6);
  });

  test('the newest were deleted, and nothing else: the signed heads that are kept beside it tell', async () => {
    const world = await chained();
    await headOf(world);
    const lines = await exported(world);
    const report = await verifyChain({ lines: lines.slice(0, -2), keys: await keys() });
    expect(seen(report.breaks)).toContain(`newest ${report.head!.seq}`);
  });

  test('everything was hashed anew after an edit: no signed head stands where it stood', async () => {
    const world = await chained();
    const head = await headOf(world);
    const seq = (await verifyChain({ lines: await exported(world), keys: await keys() })).last;
    await db().execute(
      sql`update audit_event set actor = 'Practitioner/nobody' where project_id = ${world.projectId} and id = ${rowOf(world.projectId, 3)}`,
    );
    await db().execute(sql`delete from audit_seal where project_id = ${world.projectId}`);
    await db().execute(
      sql`update audit_chain set seq = 0, hash = ${'0'.repeat(64)}, complete_to = null where project_id = ${world.projectId}`,
    );
    await sealLost(undefined, -60_000);
    const { breaks } = await verify(world, [head]);
    expect(seen(breaks).filter((each) => each.startsWith('rewritten')).length).toBeGreaterThan(0);
    expect(seq).toBeGreaterThan(3);
  });

  test('rows at the beginning are gone that retention did not drop', async () => {
    const world = await chained();
    const { head } = await verify(world);
    const [, hash] = (await exported(world))
      .filter((line) => line.includes('"seq":3,'))
      .map((line) => JSON.parse(line).hash)
      .concat('');
    await db().execute(
      sql`update audit_chain set start_seq = 3, start_hash = ${String(hash ?? '')} where project_id = ${world.projectId}`,
    );
    expect(seen((await verify(world)).breaks).join()).toContain('start 3');
    expect(head?.start.seq).toBe(0);
  });

  test('no head, a head of others, a forged one, a key that is not ours, a line that is none', async () => {
    const [world, other] = [await chained(), await chained()];
    const lines = await exported(world);
    const rows = lines.filter((line) => !line.includes('"kind":"head"'));
    const known = await keys();
    const breaksOf = async (input: Parameters<typeof verifyChain>[0]) => seen((await verifyChain(input)).breaks);
    expect(await breaksOf({ lines: rows, keys: known })).toContain(`signature ${rows.length}`);
    expect(await breaksOf({ lines, keys: known, kept: [await headOf(other)] })).toContain('signature 0');
    const [protectedHeader, payload, signature] = (await headOf(world)).split('.');
    const lie = Buffer.from(
      JSON.stringify({ ...JSON.parse(Buffer.from(payload!, 'base64url').toString()), seq: 1 }),
    ).toString('base64url');
    for (const forged of [`${protectedHeader}.${lie}.${signature}`, 'x', '', '..', '\ud800.e30.AA', 'a'.repeat(1e6)]) {
      expect(await breaksOf({ lines, keys: known, kept: [forged] })).toEqual(['signature 0']);
    }
    expect(await breaksOf({ lines, keys: [] })).toContain('signature 0');
    for (const bad of ['nonsense', '[]', 'null', '{"kind":"row"}']) {
      expect(await breaksOf({ lines: [...lines, bad], keys: known })).toEqual([`line ${rows.length}`]);
    }
  });
});

/** As somebody does it who may write to every table. */
async function cutAfter(projectId: string, seq: number): Promise<void> {
  const hash = sql`(select encode(substring(s.hashes from ((${seq}::int - s.first + 1) * 32 - 31)::int for 32), 'hex') from audit_seal s where s.project_id = ${projectId} and ${seq}::bigint between s.first and s.last)`;
  await db().execute(sql`update audit_chain set seq = ${seq}, hash = ${hash} where project_id = ${projectId}`);
  await db().execute(sql`
    delete from audit_event where project_id = ${projectId} and id in (
      select u.id from audit_seal s cross join unnest(s.events) with ordinality as u(id, n) where s.project_id = ${projectId} and s.first + u.n - 1 > ${seq})`);
  await db().execute(sql`delete from audit_seal where project_id = ${projectId} and first > ${seq}`);
  // A slice of an array in an UPDATE ends the coordinator of a Citus 13.2.
  const [cut] = await db().execute<{ first: string; events: string }>(sql`
    select first, events::text as events from audit_seal where project_id = ${projectId} and first <= ${seq} and last > ${seq}`);
  if (cut) {
    const kept = seq - Number(cut.first) + 1;
    const events = `{${cut.events.slice(1, -1).split(',').slice(0, kept).join(',')}}`;
    await db().execute(sql`
      update audit_seal set last = ${seq}, events = ${events}::uuid[], hashes = substring(hashes from 1 for ${kept * 32}::int)
      where project_id = ${projectId} and last > ${seq}`);
  }
  await db().execute(sql`delete from audit_head where project_id = ${projectId} and seq > ${seq}`);
}

describe('retention', () => {
  test('drops from the beginning; the chain is anchored there, and one of its rows says so', async () => {
    // What is old is to be sealed before what is new.
    await stop();
    const world = await createWorld();
    const row = { projectId: world.projectId, action: 'resource.read', target: 'Patient/1', requestId: '' };
    const ago = (days: number) => new Date(Date.now() - days * 86_400_000);
    await db()
      .insert(auditEvent)
      .values([2300, 2250, 2200, 100].map((days) => ({ ...row, id: newId(), at: ago(days) })));
    stop = startSealing();
    await sealLost(undefined, -60_000);
    const before = await headOf(world);
    const undo = changeSettings({ RETAIN_AUDIT_DAYS: 2192 });
    await dropOver().finally(undo);
    await flushSeals();
    const report = await verify(world, [before]);
    expect(report.breaks).toEqual([]);
    expect(report).toMatchObject({ holds: true, first: 4, head: { start: { seq: 3 } } });
    const { rows } = (await world.call('GET', '/audit?action=audit.sweep')).body;
    expect(rows[0].after).toMatchObject({ rows: 3, start: { seq: 3, hash: report.head!.start.hash } });
  });
});

describe('GET /admin/projects/[projectId]/audit/heads', () => {
  test('signs where the chain stands, once for each place, newest first; for administrators', async () => {
    const world = await chained();
    const first = await world.call('GET', '/audit/heads');
    expect((await world.call('GET', '/audit/heads')).body).toEqual(first.body);
    await world.call('POST', '/client', { body: { name: 'Later' } });
    const { heads } = (await world.call('GET', '/audit/heads?_count=2')).body;
    expect(heads).toHaveLength(2);
    expect(heads[1]).toEqual(first.body.heads[0]);
    expect(heads[0].seq).toBeGreaterThan(heads[1].seq);
    const project = await makeFhirProject();
    const auditor = await project.member([{ resourceType: 'AuditEvent' }]);
    for (const path of ['heads', 'export?format=chain']) {
      expect(
        (await callApi(auditor.authorization, 'GET', `/admin/projects/${project.projectId}/audit/${path}`)).status,
      ).toBe(403);
    }
    expect((await world.call('GET', '/audit/heads?_count=0')).status).toBe(400);
    expect((await world.call('GET', '/audit/export?format=chain&action=x')).status).toBe(400);
  });

  test('the examples of docs/audit.md run', async () => {
    const world = await chained();
    const paths = [...readFileSync('docs/audit.md', 'utf8').matchAll(/GET \/admin\/projects\/\{id\}([^\s`]+)/g)];
    expect(paths.length).toBeGreaterThan(2);
    for (const [, path] of paths) expect([path, (await world.call('GET', path!)).status]).toEqual([path, 200]);
  });

  test('stays verified when the key that signed it is gone', async () => {
    const world = await chained();
    const head = await headOf(world);
    const root = await createSuperAdmin();
    await callApi(root, 'POST', '/admin/super/rotatekeys', { body: { retire: true } });
    const { text } = await callApi(root, 'GET', `/admin/projects/${world.projectId}/audit/export?format=chain`);
    const report = await verifyChain({ lines: text.split('\n'), keys: await keys(), kept: [head] });
    expect([report.breaks, report.holds]).toEqual([[], true]);
    expect((await keys()).length).toBeGreaterThan(1);
    expect(JSON.stringify(await keys())).not.toContain('"d"');
  });
});
