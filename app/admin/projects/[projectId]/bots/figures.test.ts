import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { newId } from '#lib/base/ids.ts';
import { addHours } from '#lib/domain/runs/hours.ts';
import { runText, watchStatements } from '#lib/infra/db/client.ts';
import type { Overview } from '#lib/protocol/answers/overview.ts';
import { type BotRow, RUN_STATES } from '#lib/protocol/bots/bots.ts';
import { formatCursor } from '#lib/protocol/cursor.ts';
import { callApi } from '#lib/testing/call-api.ts';
import { db } from '#lib/testing/set-up/own-db.ts';
import { skipOnCluster } from '#lib/testing/set-up/skip-on-cluster.ts';
import { createWorld, type World } from '#lib/testing/world.ts';

async function makeBots(world: World, count: number): Promise<string[]> {
  const ids: string[] = [];
  while (ids.length < count)
    ids.push((await world.call('POST', '/bot', { body: { name: `Bot ${ids.length}` } })).body.id);
  return ids;
}

/** Of each bot so many runs, one of them now and the others evenly over `hours` before; counted as if they had been recorded. */
async function addRuns({ projectId }: World, botIds: string[], count: number, hours: number): Promise<void> {
  await db().$client.unsafe(
    `insert into bot_run (project_id, id, bot_id, trigger, status, started_at, duration_ms, request_id)
     select $1::text::uuid, gen_random_uuid(), bot::uuid, 'http', case when n % 97 = 1 then 'timeout' when n % 7 = 1 then 'failed' else 'ok' end,
       now() - n * interval '1 hour' * $4::float8 / $3::int, 5 + n % 400, 'r'
     from unnest(string_to_array($2, ',')) as bot, generate_series(0, $3::int - 1) as n`,
    [projectId, botIds.join(), count, hours],
  );
  await runText(db(), 'delete from bot_hour where project_id = $1', [projectId]);
  await db().$client.unsafe(addHours(`(select * from bot_run where project_id = '${projectId}') as run`));
}

type Plan = { 'Shared Hit Blocks': number; 'Shared Read Blocks': number };

/** Pages that PostgreSQL looks at for all that a request asks of it. */
async function countPages(world: World, path: string): Promise<number> {
  const asked: { text: string; params: unknown[] }[] = [];
  const stop = watchStatements((text, params) => asked.push({ text, params }));
  const answer = await world.call('GET', path);
  stop();
  expect(answer.status, answer.text).toBe(200);
  let pages = 0;
  for (const { text, params } of asked.filter(({ text }) => /^\s*(select|with)\b/.test(text))) {
    const explain = `explain (analyze, buffers, format json) ${text}`;
    const [row] = await runText<{ 'QUERY PLAN': { Plan: Plan }[] }>(db(), explain, params);
    const { Plan: plan } = row!['QUERY PLAN'][0]!;
    pages += plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
  }
  expect(pages).toBeGreaterThan(0);
  return pages;
}

/** Of these paths, when there are two hundred runs of each bot, and twenty thousand. */
async function expectSameCost(world: World, botIds: string[], paths: string[]): Promise<void> {
  const measure = async (runs: number) => {
    await addRuns(world, botIds, runs, 24);
    for (const table of ['bot_run', 'bot_hour']) await runText(db(), `vacuum analyze ${table}`, []);
    const pages: number[] = [];
    for (const path of paths) pages.push(await countPages(world, path));
    return pages;
  };
  const [few, many] = [await measure(200), await measure(20_000)];
  for (const [at, path] of paths.entries()) expect(many[at]! / few[at]!, path).toBeLessThanOrEqual(1.5);
}

test('what it costs to say how bots do does not follow the number of their runs', async (test) => {
  skipOnCluster(test, 'pages');
  const world = await createWorld();
  await expectSameCost(world, await makeBots(world, 5), ['/bots', '/overview']);
});

test('nor does a page of them: of any status, and wherever it begins', async (test) => {
  skipOnCluster(test, 'pages');
  const world = await createWorld();
  const botIds = await makeBots(world, 2);
  const path = `/bots/${botIds[0]}/runs?_count=2`;
  const cursor = formatCursor({ at: new Date(Date.now() - 12 * 3_600_000), id: newId() });
  await expectSameCost(world, botIds, [
    path,
    ...RUN_STATES.map((status) => `${path}&status=${status}`),
    `${path}&cursor=${cursor}`,
    `${path}&status=failed&cursor=${cursor}`,
  ]);
});

/** As the peer's command line tool does it: a Binary, the bot that names it, and what runs. */
async function deploy(world: World, botId: string, code: string): Promise<void> {
  const call = async (method: string, path: string, type: string, body: unknown) => {
    const answer = await callApi(world.owner.bearer, method, `/fhir/R4/${path}`, {
      body,
      headers: { 'content-type': type },
    });
    expect(answer.status, answer.text).toBeLessThan(300);
    return answer.body;
  };
  const { id } = await call('POST', 'Binary', 'text/typescript', code);
  const sourceCode = { contentType: 'text/typescript', title: 'index.ts', url: `Binary/${id}` };
  await call('PATCH', `Bot/${botId}`, 'application/json-patch+json', [
    { op: 'replace', path: '/sourceCode', value: sourceCode },
  ]);
  await call('POST', `Bot/${botId}/$deploy`, 'application/json', { code, filename: 'index.ts' });
}

test('that the draft is what runs is told without reading either, and so it is of what was stored before hashes were', async (test) => {
  skipOnCluster(test, 'pages');
  const world = await createWorld();
  const [botId = ''] = await makeBots(world, 1);
  const code = 'export async function handler() { return 1; }';
  const draft = async () => (await world.call('GET', '/bots')).body.rows[0].draft;
  await deploy(world, botId, code);
  const small = await countPages(world, '/bots');
  await deploy(world, botId, `${code} // ${randomBytes(300_000).toString('base64')}`);
  expect((await countPages(world, '/bots')) / small).toBeLessThanOrEqual(1.5);
  expect(await draft()).toBe(false);
  for (const table of ['bot_version', 'binary_content']) {
    await runText(db(), `update ${table} set source_hash = null where project_id = $1`, [world.projectId]);
    expect(await draft(), table).toBe(false);
  }
  await world.call('PUT', `/bots/${botId}/source`, { body: { code } });
  expect(await draft()).toBe(true);
});

/** What a bot's runs of the last day come to, counted one by one. */
async function countRuns(botId: string) {
  const [counted] = await runText<{ hour: string; runs: number; failed: number; p95: number }>(
    db(),
    `select date_trunc('hour', now(), 'UTC')::text as hour, count(*)::int as runs, (count(*) filter (where status <> 'ok'))::int as failed,
       percentile_disc(0.95) within group (order by duration_ms) as p95
     from bot_run where bot_id = $1 and started_at >= date_trunc('hour', now(), 'UTC') - interval '23 hours'`,
    [botId],
  );
  return counted!;
}

test('the last day is this hour and the 23 before it, in the list and in the overview alike', async () => {
  const world = await createWorld();
  const [busy = '', idle] = await makeBots(world, 2);
  const look = async (): Promise<{
    counted: Awaited<ReturnType<typeof countRuns>>;
    rows: BotRow[];
    overview: Overview;
  }> => {
    await addRuns(world, [busy], 300, 60);
    const counted = await countRuns(busy);
    const [rows, overview] = [
      (await world.call('GET', '/bots')).body.rows,
      (await world.call('GET', '/overview')).body,
    ];
    // Where the clock struck meanwhile.
    return (await countRuns(busy)).hour === counted.hour ? { counted, rows, overview } : look();
  };
  const { counted, rows, overview } = await look();
  const { runs, failed, p95 } = counted;
  const [row, other] = [rows.find(({ id }) => id === busy)!, rows.find(({ id }) => id === idle)!];
  expect(row).toMatchObject({ runs24h: runs, failed24h: failed, failing: true, lastRun: { status: 'ok' } });
  expect(row.hours.length).toBe(24);
  expect(row.hours.reduce((sum, [of]) => sum + of, 0)).toBe(runs);
  expect(row.hours[23]![0]).toBeGreaterThan(0);
  expect(Math.abs(row.p95Ms! / p95 - 1)).toBeLessThan(0.051);
  expect(other).toMatchObject({ runs24h: 0, failing: false, p95Ms: null, lastRun: null });
  expect(overview.bots).toEqual({ count: 2, runs24h: runs, failed24h: failed });
  expect(overview.findingCounts['bot-failing']).toBe(1);
});
