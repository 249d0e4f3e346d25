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
  const bot = await deployedBot(world, code);
  for (const n of [1, 2, 3]) await callApi(world.owner.bearer, 'POST', `/fhir/R4/Bot/${bot}/$execute`, { body: { n } });
  await flushRuns();
  const runs = (await world.call('GET', `/runs?bot=${bot}`)).body.rows.map(({ id }: { id: string }) => id);
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

async function begin(world: World, body: object, bearer: string): Promise<string> {
  const asked = await world.call('POST', '/runs/replay', { body, bearer });
  expect(asked.status, asked.text).toBe(202);
  return new URL(asked.headers.get('content-location')!).pathname;
}

async function ended(job: string, bearer: string) {
  await vi.waitUntil(async () => (await callApi(bearer, 'GET', job)).status === 200, { timeout: 60_000 });
  return (await callApi(bearer, 'GET', job)).body;
}
