import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { newId } from '#lib/base/ids.ts';
import { flushRuns } from '#lib/domain/runs/record/record-run.ts';
import { stopRunner } from '#lib/domain/runs/runner.ts';
import { deployedBot } from '#lib/testing/bots.ts';
import { callApi, expectOutcome } from '#lib/testing/call-api.ts';
import { db } from '#lib/testing/set-up/own-db.ts';
import { createWorld, signIn, type World } from '#lib/testing/world.ts';
import { GET } from './live/route.ts';

afterAll(stopRunner);

const FAILS = `export async function handler(medplum, event) {
  if (event.input.fails) throw new Error(event.input.fails + ' of ' + event.input.who);
  return 1;
}`;

let world: World;
let [one, other] = ['', ''];
beforeAll(async () => {
  world = await createWorld();
  one = await deployedBot(world, FAILS, { name: 'One' });
  other = await deployedBot(world, FAILS, { name: 'Other' });
  for (const input of [{}, { fails: 'late', who: 1 }, { fails: 'late', who: 2 }, { fails: 'broken', who: 3 }])
    await run(one, input);
  await run(other, { fails: 'late', who: 4 });
  await flushRuns();
});

function run(bot: string, body: unknown) {
  return callApi(world.owner.bearer, 'POST', `/fhir/R4/Bot/${bot}/$execute`, { body });
}

describe('errors', () => {
  test('are told by what is one fault, the newest first, with how often, when, where, and a run', async () => {
    const { body, status } = await world.call('GET', '/runs/errors');
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body.lookedTo).toBeNull();
    const [late, broken] = body.groups;
    expect(late).toMatchObject({ count: 3, status: 'failed', versions: [1] });
    expect(late.message).toMatch(/^Error: late of 4\n/);
    expect(late.bots.map(({ name }: { name: string }) => name).toSorted()).toEqual(['One', 'Other']);
    expect(new Date(late.firstAt).getTime()).toBeLessThan(new Date(late.lastAt).getTime());
    expect(broken).toMatchObject({ count: 1, bots: [{ id: one, name: 'One' }] });
    const runs = await world.call('GET', `/runs?fingerprint=${late.fingerprint}`);
    expect(runs.body.rows).toHaveLength(3);
    expect(runs.body.rows[0].id).toBe(late.run);
  });

  test('are those of a bot and of a time', async () => {
    expect((await world.call('GET', `/runs/errors?bot=${other}`)).body.groups).toMatchObject([{ count: 1 }]);
    const none = await world.call('GET', '/runs/errors?until=2020-01-01T00:00:00Z');
    expect(none.body).toEqual({ groups: [], lookedTo: null });
  });
});

test('inputs are looked into by nobody whom a policy limits, also not on behalf of who may', async () => {
  const policy = { resourceType: 'AccessPolicy', name: 'Bots', resource: [{ resourceType: 'Bot' }] };
  const made = await callApi(world.owner.bearer, 'POST', '/fhir/R4/AccessPolicy', { body: policy });
  const membership = { admin: true, accessPolicy: { reference: `AccessPolicy/${made.body.id}` } };
  const { id, user } = await world.invite({ membership });
  const bearer = await signIn(world.projectId, id, user.reference);
  const asOwner = { 'x-medplum-on-behalf-of': `ProjectMembership/${world.owner.membershipId}` };
  for (const headers of [{}, asOwner])
    expectOutcome(await world.call('POST', '/runs/search', { bearer, headers, body: { text: 'late' } }), 403);
  expect((await world.call('POST', '/runs/search', { body: { text: 'late' } })).status).toBe(200);
});

describe('figures', () => {
  test('count the runs of each hour of a day, and of each day of a month', async () => {
    const day = await world.call('GET', '/runs/figures');
    expect(day.status, day.text).toBe(200);
    expect(day.body.step).toBe('hour');
    expect(day.body.figures).toHaveLength(24);
    expect(day.body.total).toMatchObject({ runs: 5, failed: 4 });
    const sum = day.body.figures.reduce((n: number, { runs }: { runs: number }) => n + runs, 0);
    expect(sum).toBe(5);
    expect(day.body.total.p50Ms).toBeLessThanOrEqual(day.body.total.p95Ms);
    expect(day.body.figures[0]).toMatchObject({ runs: 0, failed: 0, p50Ms: null, p95Ms: null });
    const month = await world.call('GET', `/runs/figures?span=month&bot=${other}`);
    expect(month.body.figures).toHaveLength(30);
    expect(month.body.total).toMatchObject({ runs: 1, failed: 1 });
  });

  test('of a bot that never ran are zero', async () => {
    const { body } = await world.call('GET', `/runs/figures?span=week&bot=${newId()}`);
    expect(body.total).toEqual({ runs: 0, failed: 0, p50Ms: null, p95Ms: null });
    expect(body.figures).toHaveLength(7);
  });
});

describe('live', () => {
  test('tells runs as they are recorded, those of the filter, and from the last event on none is missing', async () => {
    const stream = await follow(`?bot=${one}&status=failing`);
    expect(await stream.next()).toMatchObject({ event: 'ready' });
    await run(other, { fails: 'late', who: 5 });
    await run(one, {});
    await run(one, { fails: 'late', who: 'Ngozi' });
    const first = await stream.next();
    expect(first).toMatchObject({ event: 'run', data: { bot: { id: one, name: 'One' }, status: 'failed' } });
    await stream.end();
    await run(one, { fails: 'broken', who: 6 });
    await flushRuns();
    const again = await follow(`?bot=${one}`, { 'last-event-id': first.id });
    const heard: string[] = [];
    while (!heard.some((message) => message.includes('broken of 6')))
      heard.push((await again.next()).data.message ?? '');
    await again.end();
  });

  test('ends when the login does', async () => {
    const { bearer, end } = await ownSession();
    const stream = await follow('', {}, bearer);
    expect(await stream.next()).toMatchObject({ event: 'ready' });
    await end();
    let last: unknown = {};
    while (last) last = await stream.next();
  });

  test('has twenty places in a project', async () => {
    const full = await createWorld();
    const streams = [];
    for (let i = 0; i < 20; i += 1) streams.push(await follow('', {}, full.owner.bearer, full.projectId));
    expectOutcome(await full.call('GET', '/runs/live', { headers: STREAM }), 429);
    await streams[0]!.end();
    streams.push(await follow('', {}, full.owner.bearer, full.projectId));
    for (const stream of streams) await stream.end();
  });

  test('who does not read gives their place back, and nothing more is kept for them', async () => {
    const full = await createWorld();
    const bot = await deployedBot(full, FAILS, { name: 'Busy' });
    await callApi(full.owner.bearer, 'POST', `/fhir/R4/Bot/${bot}/$execute`, { body: {} });
    await flushRuns();
    const streams = [];
    for (let i = 0; i < 20; i += 1) streams.push(await follow('', {}, full.owner.bearer, full.projectId));
    for (const stream of streams) expect(await stream.next()).toMatchObject({ event: 'ready' });
    expectOutcome(await full.call('GET', '/runs/live', { headers: STREAM }), 429);
    const written = () =>
      db().execute(sql`
        insert into bot_run select n.* from bot_run r, generate_series(1, 1900) g,
          lateral jsonb_populate_record(null::bot_run, to_jsonb(r) || jsonb_build_object('id', md5(g || clock_timestamp()::text)::uuid, 'recorded_at', now())) n
        where r.project_id = ${full.projectId}::uuid and r.id = (select id from bot_run where project_id = ${full.projectId}::uuid limit 1)`);
    const asked = async () => {
      await written();
      return (await ask(full.owner.bearer, full.projectId)).status;
    };
    await expect.poll(asked, { timeout: 45_000, interval: 4500 }).toBe(200);
    let last: unknown = {};
    while (last) last = await streams[0]!.next();
    for (const stream of streams) await stream.end();
  });

  test('406 for who asks for no stream, 400 for an event that is none', async () => {
    expectOutcome(await world.call('GET', '/runs/live'), 406);
    expectOutcome(await world.call('GET', '/runs/live', { headers: { ...STREAM, 'last-event-id': 'x' } }), 400);
  });
});

const STREAM = { accept: 'text/event-stream' };

function ask(bearer: string, projectId: string, query = '', headers = {}): Promise<Response> {
  const request = new Request(`http://localhost:3999/admin/projects/${projectId}/runs/live${query}`, {
    headers: { ...STREAM, authorization: bearer, ...headers },
  });
  return GET(request, { params: Promise.resolve({ projectId }) });
}

/** Its events, one after the other; undefined at its end. */
async function follow(query = '', headers = {}, bearer = world.owner.bearer, projectId = world.projectId) {
  const response = await ask(bearer, projectId, query, headers);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toContain('text/event-stream');
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  return {
    end: () => reader.cancel(),
    // biome-ignore lint/suspicious/noExplicitAny: tests read answers by path
    async next(): Promise<any> {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return undefined;
        const fields = Object.fromEntries(value.split('\n').map((line) => line.split(/: (.*)/s)));
        if (fields.event) return { id: fields.id, event: fields.event, data: JSON.parse(fields.data) };
      }
    },
  };
}

async function ownSession() {
  const { projectId, owner } = world;
  const bearer = await signIn(projectId, owner.membershipId, `User/${owner.userId}`);
  const end = async () => void (await callApi(bearer, 'POST', '/oauth2/logout'));
  return { bearer, end };
}

describe('replay of chosen runs', () => {
  test('runs these again, and says how it went', async () => {
    const bot = await deployedBot(world, FAILS, { name: 'Again' });
    for (const input of [{}, { fails: 'late', who: 7 }, {}]) await run(bot, input);
    await flushRuns();
    const { rows } = (await world.call('GET', `/runs?bot=${bot}`)).body;
    const runs = [rows[0].id, rows[2].id];
    const started = await world.call('POST', '/runs/replay', { body: { runs, version: 'same' } });
    expect(started.status, started.text).toBe(202);
    const { pathname } = new URL(started.headers.get('content-location')!);
    const job = await vi.waitUntil(async () => {
      const answer = await callApi(world.owner.bearer, 'GET', pathname);
      return answer.status === 200 && answer.body;
    }, 20_000);
    expect(job.output.parameter).toContainEqual({ name: 'ok', valueInteger: 2 });
    await flushRuns();
    for (const id of runs) expect((await world.call('GET', `/runs?replayOf=${id}`)).body.rows).toHaveLength(1);
  });

  test('400 for none, for both, and for neither these nor a kind', async () => {
    const runs = [newId()];
    for (const body of [{}, { runs: [] }, { runs: ['x'] }, { runs, filter: { bot: one } }])
      expectOutcome(await world.call('POST', '/runs/replay', { body }), 400);
  });
});

describe.each(['errors', 'figures', 'live'])('/runs/%s', (path) => {
  test('400: names what it does not know', async () => {
    expectOutcome(await world.call('GET', `/runs/${path}?bot=x&color=red`), 400);
  });

  test('403 for another project’s administrator, 401 for nobody', async () => {
    const { owner } = await createWorld();
    expectOutcome(await world.call('GET', `/runs/${path}`, { bearer: owner.bearer }), 403);
    expectOutcome(await world.call('GET', `/runs/${path}`, { bearer: null }), 401);
  });
});

test('400 for an instant that is in a year of five digits by UTC', async () => {
  const world = await createWorld();
  const late = encodeURIComponent('9999-12-31T23:59:59-23:59');
  for (const path of [`/runs/errors?until=${late}`, `/runs?since=${late}`, `/audit?from=${late}`])
    expectOutcome(await world.call('GET', path), 400);
});

describe('a fault that somebody has resolved', () => {
  test('is told with who and when, apart from those that are open, and opens again by what fails later', async () => {
    const world = await createWorld();
    const bot = await deployedBot(world, FAILS, { name: 'Alone' });
    const fail = async (...causes: string[]) => {
      for (const fails of causes)
        await callApi(world.owner.bearer, 'POST', `/fhir/R4/Bot/${bot}/$execute`, { body: { fails, who: 1 } });
      await flushRuns();
    };
    await fail('late', 'broken');
    const of = (state: string) => world.call('GET', `/runs/errors?state=${state}`);
    const names = (answer: Awaited<ReturnType<typeof of>>) =>
      answer.body.groups.map(({ message }: { message: string }) => message.split(' ')[1]).sort();
    expect([names(await of('open')), names(await of('resolved'))]).toEqual([['broken', 'late'], []]);
    const { fingerprint } = (await of('open')).body.groups.find(({ message }: { message: string }) =>
      message.includes('broken'),
    );
    const path = `/runs/errors/${fingerprint}/resolved`;
    const resolved = await world.call('PUT', path);
    expect(resolved.body, resolved.text).toEqual({ fingerprint, resolvedAt: expect.any(String) });
    expect([names(await of('open')), names(await of('resolved'))]).toEqual([['late'], ['broken']]);
    expect((await of('resolved')).body.groups[0].resolved).toEqual({
      at: resolved.body.resolvedAt,
      by: { reference: expect.stringMatching(/^Practitioner\//), display: 'Olga Owner' },
      again: false,
    });
    await fail('broken');
    expect([names(await of('open')), names(await of('resolved'))]).toEqual([['broken', 'late'], []]);
    const again = (await world.call('GET', '/runs/errors')).body.groups.find(
      (group: { fingerprint: string }) => group.fingerprint === fingerprint,
    );
    expect(again.resolved).toMatchObject({ again: true });
    // Also where the time that is looked at ends before that.
    const until = `/runs/errors?until=${resolved.body.resolvedAt}&state=resolved`;
    expect((await world.call('GET', until)).body.groups).toEqual([]);
    await world.call('PUT', path);
    expect(names(await of('resolved'))).toEqual(['broken']);
    expect((await world.call('DELETE', path)).status).toBe(200);
    expect(names(await of('open'))).toEqual(['broken', 'late']);
    expectOutcome(await world.call('DELETE', path), 404);
    const { rows } = (await world.call('GET', `/audit?target=Bot/${bot}`)).body;
    const actions = rows.map(({ action }: { action: string }) => action);
    expect(actions).toEqual(expect.arrayContaining(['bot.fault.resolve', 'bot.fault.reopen']));
  });

  test('400, 404: another state, and what no run has failed of, here', async () => {
    expectOutcome(await world.call('GET', '/runs/errors?state=any'), 400, 'state');
    for (const fingerprint of ['0123456789abcdef', 'x', `${'0'.repeat(15)}'`])
      for (const method of ['PUT', 'DELETE'] as const)
        expectOutcome(await world.call(method, `/runs/errors/${fingerprint}/resolved`), 404);
    const { fingerprint } = (await world.call('GET', '/runs/errors')).body.groups[0];
    const elsewhere = await createWorld();
    expectOutcome(await elsewhere.call('PUT', `/runs/errors/${fingerprint}/resolved`), 404);
  });
});
