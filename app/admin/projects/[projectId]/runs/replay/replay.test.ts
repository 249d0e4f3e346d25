import { sql } from 'drizzle-orm';
import { expect, test, vi } from 'vitest';
import { flushRuns } from '#lib/domain/runs/record/record-run.ts';
import { deployedBot } from '#lib/testing/bots.ts';
import { callApi } from '#lib/testing/call-api.ts';
import { db } from '#lib/testing/set-up/own-db.ts';
import { createWorld, signIn, type World } from '#lib/testing/world.ts';

test('a job ends where who asked for it is no administrator any more', async () => {
  const world = await createWorld();
  const code = 'export async function handler(m, e) { await new Promise((done) => setTimeout(done, 700)); }';
  const { bot, runs } = await ranBefore(world, code, 3);
  const member = await world.invite({ membership: { admin: true } });
  const bearer = await signIn(world.projectId, member.id, member.user.reference);
  const job = await begin(world, { runs, version: 'same' }, bearer);
  const replays = async () => {
    await flushRuns();
    return (await world.call('GET', `/runs?bot=${bot}&trigger=replay`)).body.rows.length;
  };
  await vi.waitUntil(async () => (await replays()) === 1, 20_000);
  const demotion = [{ op: 'replace', path: '/admin', value: false }];
  expect((await world.call('PATCH', `/members/${member.id}`, { body: demotion })).status).toBe(200);
  const { output } = await ended(job, bearer);
  expect(output.parameter).toMatchObject([{ name: 'outcome', resource: { issue: [{ code: 'forbidden' }] } }]);
  expect(await replays()).toBe(2);
});

test('a job that has not looked at all that failed says so', async () => {
  const world = await createWorld();
  const bot = await deployedBot(world, 'export async function handler() {}');
  const [fingerprint, all] = ['abcdef0123456789', 10_050];
  const insert = (status: string, count: number, ago: string) =>
    db().execute(sql`
      insert into bot_run (project_id, id, bot_id, version, trigger, status, started_at, duration_ms, request_id, fingerprint, input_type, input, input_bytes, input_headers)
      select ${world.projectId}, gen_random_uuid(), ${bot}, 1, 'cron', ${status}, now() - ${ago}::interval - make_interval(secs => n), 1, 'x',
        ${status === 'ok' ? null : fingerprint}, 'json', '{}', 2, jsonb_build_object('idempotency-key', 'event-' || n % 2010)
      from generate_series(1, ${count}::int) as n`);
  await insert('failed', all, '1 hour');
  await insert('ok', 2010, '1 second');
  await db().execute(sql`analyze bot_run`);
  const job = await begin(world, { filter: { fingerprint } }, world.owner.bearer);
  const { output } = await ended(job, world.owner.bearer);
  const found = Object.fromEntries(
    output.parameter.map(({ name, ...value }: { name: string }) => [name, Object.values(value)[0]]),
  );
  expect(found).toMatchObject({ replayed: 0, skipped: 10_000, unseen: true });
});

test('a job that has lost its lease ends, since another may have begun', async () => {
  const world = await createWorld();
  const code = 'export async function handler() { await new Promise((done) => setTimeout(done, 700)); }';
  const { runs } = await ranBefore(world, code, 3);
  const job = await begin(world, { runs, version: 'same' }, world.owner.bearer);
  const holders = () =>
    // Who holds one and does nothing: leases, and no transaction.
    db().execute(sql`select pg_terminate_backend(l.pid) from pg_locks l join pg_stat_activity a on a.pid = l.pid
      where l.locktype = 'advisory' and l.granted and a.state = 'idle' and l.pid <> pg_backend_pid()
      and l.database = (select oid from pg_database where datname = current_database())`);
  await vi.waitUntil(async () => (await holders()).length > 0, 10_000);
  const { output } = await ended(job, world.owner.bearer);
  expect(output.parameter).toMatchObject([{ name: 'outcome', resource: { issue: [{ code: 'conflict' }] } }]);
});

test('a bot that runs as its caller has, run again, the rights of who asks', async () => {
  const world = await createWorld();
  const code = `export async function handler(m) { return (await m.searchResources('AuditEvent', '_count=1')).length; }`;
  const bot = await deployedBot(world, code, { runAsUser: true });
  const policy = { resourceType: 'AccessPolicy', name: 'Bots', resource: [{ resourceType: 'Bot', readonly: true }] };
  const made = await callApi(world.owner.bearer, 'POST', '/fhir/R4/AccessPolicy', { body: policy });
  const member = await world.invite({ membership: { accessPolicy: { reference: `AccessPolicy/${made.body.id}` } } });
  const bearer = await signIn(world.projectId, member.id, member.user.reference);
  expect((await callApi(bearer, 'POST', `/fhir/R4/Bot/${bot}/$execute`, { body: {} })).status).toBe(403);
  await flushRuns();
  const [run] = (await world.call('GET', `/runs?bot=${bot}`)).body.rows;
  expect(run.status).toBe('failed');
  expect((await world.call('POST', `/runs/${run.id}/replay`, { body: {} })).body.status).toBe('ok');
});

test('runs that are run again have the rights that who asked has by then, also one that goes on', async () => {
  const world = await createWorld();
  const code = `export async function handler(m) {
    while ((await m.searchResources('Basic')).length === 0) await new Promise((done) => setTimeout(done, 50));
  }`;
  const body = { resourceType: 'Basic', code: { text: 'go' } };
  const go = () => callApi(world.owner.bearer, 'POST', '/fhir/R4/Basic', { body });
  const first = await go();
  const { runs } = await ranBefore(world, code, 2, { runAsUser: true, timeout: 60 });
  await callApi(world.owner.bearer, 'DELETE', `/fhir/R4/Basic/${first.body.id}`);
  const policy = { resourceType: 'AccessPolicy', name: 'Bots', resource: [{ resourceType: 'Bot' }] };
  const made = await callApi(world.owner.bearer, 'POST', '/fhir/R4/AccessPolicy', { body: policy });
  const { id, user } = await world.invite({ membership: { admin: true } });
  const bearer = await signIn(world.projectId, id, user.reference);
  const job = await begin(world, { runs, version: 'same' }, bearer);
  await vi.waitUntil(async () => (await world.call('GET', '/runs/running')).body.rows.length === 1, 20_000);
  const limits = [{ op: 'add', path: '/accessPolicy', value: { reference: `AccessPolicy/${made.body.id}` } }];
  expect((await world.call('PATCH', `/members/${id}`, { body: limits })).status).toBe(200);
  await go();
  const { output } = await ended(job, bearer);
  const sums = output.parameter.map(({ name, valueInteger }: Record<string, unknown>) => [name, valueInteger]);
  expect(Object.fromEntries(sums)).toMatchObject({ replayed: 2, ok: 0, failed: 2 });
});

/** A bot, and so many runs of it, each with an input of its own. */
async function ranBefore(world: World, code: string, count: number, fields?: object) {
  const bot = await deployedBot(world, code, { ...fields });
  for (let n = 1; n <= count; n += 1)
    await callApi(world.owner.bearer, 'POST', `/fhir/R4/Bot/${bot}/$execute`, { body: { n } });
  await flushRuns();
  const { body } = await world.call('GET', `/runs?bot=${bot}`);
  return { bot, runs: body.rows.map(({ id }: { id: string }) => id) as string[] };
}

async function begin(world: World, body: object, bearer: string): Promise<string> {
  const asked = await world.call('POST', '/runs/replay', { body, bearer });
  expect(asked.status, asked.text).toBe(202);
  return new URL(asked.headers.get('content-location')!).pathname;
}

async function ended(job: string, bearer: string) {
  await vi.waitUntil(async () => (await callApi(bearer, 'GET', job)).status === 200, { timeout: 60_000 });
  return (await callApi(bearer, 'GET', job)).body;
}
