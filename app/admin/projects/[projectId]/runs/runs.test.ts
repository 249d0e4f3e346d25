import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { newId } from '#lib/base/ids.ts';
import { flushRuns } from '#lib/domain/runs/record/record-run.ts';
import { stopRunner } from '#lib/domain/runs/runner.ts';
import { auditEvent } from '#lib/infra/db/schema/operations.ts';
import { deployedBot } from '#lib/testing/bots.ts';
import { callApi, expectOutcome } from '#lib/testing/call-api.ts';
import { db } from '#lib/testing/set-up/own-db.ts';
import { createWorld, type World } from '#lib/testing/world.ts';

afterAll(stopRunner);

const GREETS = `export async function handler(medplum, event) {
  const { family, given } = event.input.name[0];
  console.log('hello ' + given[0] + ' ' + family);
  const made = await medplum.createResource({ resourceType: 'Basic', code: { text: 'seen' } });
  await medplum.searchResources('Basic', { code: 'x' });
  if (event.input.fails) throw new TypeError('no room for ' + family + ' 17');
  return event.input;
}`;
const PATIENT = { resourceType: 'Patient', name: [{ family: 'Okonjo', given: ['Ngozi'] }], birthDate: '1970-01-02' };

let world: World;
let bot: string;
beforeAll(async () => {
  world = await createWorld();
  bot = await deployedBot(world, GREETS, { name: 'Greeter' });
});

async function run(botId: string, body: unknown, headers: Record<string, string> = {}) {
  const type = { 'content-type': 'application/fhir+json', ...headers };
  const answer = await callApi(world.owner.bearer, 'POST', `/fhir/R4/Bot/${botId}/$execute`, { body, headers: type });
  await flushRuns();
  return answer;
}

async function newest(query = ''): Promise<Record<string, string>> {
  const { body, status, text } = await world.call('GET', `/runs?${query}`);
  expect(status, text).toBe(200);
  return body.rows[0];
}

describe('the record of a run', () => {
  test('one that another run asked for has the trace of that one, however its caller says it', async () => {
    const source = `export async function handler(medplum, event) { return medplum.executeBot('${bot}', event.input); }`;
    const outer = await deployedBot(world, source);
    for (const [headers, traceId] of [
      [{ traceparent: `00-${'c'.repeat(32)}-${'b'.repeat(16)}-01` }, 'c'.repeat(32)],
      [{ 'x-trace-id': '3f0a6c1e-0000-4000-8000-000000000001' }, '3f0a6c1e-0000-4000-8000-000000000001'],
    ] as const) {
      await run(outer, PATIENT, headers);
      expect([(await newest(`bot=${outer}`)).traceId, (await newest(`bot=${bot}`)).traceId]).toEqual([
        traceId,
        traceId,
      ]);
    }
  });

  test('is there for who asks for it after the answer, however many others are on their way', async () => {
    const echo = await deployedBot(world, 'export const handler = async (medplum, event) => event.input;');
    const call = () => callApi(world.owner.bearer, 'POST', `/fhir/R4/Bot/${echo}/$execute`, { body: { a: 1 } });
    const runs = async () => (await world.call('GET', `/runs?bot=${echo}&_count=100`)).body.rows.length;
    for (let round = 1; round <= 3; round += 1) {
      const answers = await Promise.all(Array.from({ length: 20 }, call));
      expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
      expect(await runs()).toBe(20 * round);
    }
    expect((await world.call('GET', `/runs/figures?bot=${echo}`)).body.total).toMatchObject({ runs: 60 });
  });

  test('tells what it was given, said, asked for and wrote, without who it was about', async () => {
    const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
    await run(bot, PATIENT, { traceparent });
    const row = await newest(`bot=${bot}`);
    expect(row).toMatchObject({ bot: { id: bot, name: 'Greeter' }, status: 'ok', version: 1, trigger: 'http' });
    expect(row).toMatchObject({ traceId: 'a'.repeat(32), message: null, fingerprint: null, replayOf: null });
    expect(row.cpuMs).toBeGreaterThanOrEqual(0);
    expect(row.heapKb).toBeGreaterThan(0);
    const { body, text } = await world.call('GET', `/runs/${row.id}`);
    for (const word of ['Okonjo', 'Ngozi', '1970-01-02']) expect(text).not.toContain(word);
    expect(body).toMatchObject({ isMasked: true, logs: [{ level: 'log', text: 'hello ••• •••' }] });
    expect(body.logs[0].ms).toBeGreaterThanOrEqual(0);
    expect(JSON.parse(body.input.text)).toMatchObject({ name: [{ family: '•••' }] });
    expect(body.output).toMatchObject({ kind: 'json', isKept: true, isCut: false });
    const [created, searched] = body.calls;
    expect(created).toMatchObject({ method: 'createResource', status: 201 });
    expect(created.wrote).toEqual([expect.stringMatching(/^Basic\/[0-9a-f-]{36}\/_history\/1$/)]);
    expect(searched).toMatchObject({ method: 'searchResources', target: 'Basic', status: 200 });
    expect(searched.wrote).toBeUndefined();
    expect((await world.call('GET', `/bots/${bot}/runs/${row.id}`)).body.id).toBe(row.id);
  });

  test.each([
    ['by the methods of its client', ''],
    ["by those of core's", "import { MedplumClient } from '@medplum/core';\nexport const of = MedplumClient;\n"],
  ])('tells what was written %s, bundles, conditions and options', async (_, imports) => {
    const writes = await deployedBot(
      world,
      `${imports}export async function handler(medplum) {
        const basic = (text) => ({ resourceType: 'Basic', code: { text } });
        const made = await medplum.createResource(basic('a'));
        await medplum.updateResource({ ...made, code: { text: 'b' } });
        await medplum.updateResource({ ...made, code: { text: 'b' } });
        const identifier = [{ system: 'urn:x', value: medplum.getProject().id + made.id }];
        await medplum.upsertResource({ ...basic('u'), identifier }, 'identifier=urn:x|' + identifier[0].value);
        await medplum.createResource(basic('o'), { headers: { prefer: 'return=representation' } });
        for (const type of ['batch', 'transaction'])
          await medplum.executeBatch({ resourceType: 'Bundle', type, entry: [
            { request: { method: 'POST', url: 'Basic' }, resource: basic(type) },
            { request: { method: 'PUT', url: 'Basic/' + made.id }, resource: { ...made, code: { text: type } } },
            { request: { method: 'GET', url: 'Basic/' + made.id } },
          ] });
        await medplum.deleteResource('Basic', made.id);
        return made.id;
      }`,
    );
    const { text: id, status } = await run(writes, {});
    expect(status, id).toBe(200);
    const row = await newest(`bot=${writes}`);
    const { calls } = (await world.call('GET', `/runs/${row.id}`)).body;
    const wrote = calls.flatMap((call: { wrote?: string[] }) => call.wrote ?? []);
    const other = expect.stringMatching(/^Basic\/[0-9a-f-]{36}\/_history\/1$/);
    const own = (version: number) => `Basic/${id}/_history/${version}`;
    expect(wrote).toEqual([own(1), own(2), other, other, other, own(3), other, own(4), `Basic/${id}`]);
  });

  test('of one that failed says why, masked, and alike for failures that are alike', async () => {
    await run(bot, { ...PATIENT, fails: true });
    await run(bot, { ...PATIENT, name: [{ family: 'Smith', given: ['Al'] }], fails: true });
    const { body } = await world.call('GET', `/runs?bot=${bot}&status=failing`);
    const [one, other] = body.rows;
    expect(one.message).toMatch(/^TypeError: no room for ••• 17\n {4}at /);
    expect(one.fingerprint).toMatch(/^[0-9a-f]{16}$/);
    expect(other.fingerprint).toBe(one.fingerprint);
    const found = await world.call('GET', `/runs?fingerprint=${one.fingerprint}`);
    expect(found.body.rows.map(({ id }: { id: string }) => id)).toEqual([one.id, other.id]);
  });

  test('keeps the beginning of what is long, and says so; what is no message cannot be masked', async () => {
    const echo = await deployedBot(
      world,
      'export async function handler(medplum, { input }) { console.log("x"); return input; }',
    );
    await run(echo, 'é'.repeat(70_000), { 'content-type': 'text/plain' });
    const { body } = await world.call('GET', `/runs/${(await newest(`bot=${echo}`)).id}`);
    expect(body.input).toEqual({ kind: 'text', bytes: 140_000, text: null, isKept: true, isCut: true });
    expect(body.logs).toMatchObject([{ text: '•••' }]);
  });

  test('stands in the audit log, too, when its bot asks for that', async () => {
    const echo = await deployedBot(world, 'export async function handler() {}', { auditEventTrigger: 'always' });
    const given = newId();
    await run(echo, { ...PATIENT, id: given });
    const audited = () =>
      db()
        .select()
        .from(auditEvent)
        .where(eq(auditEvent.target, `Bot/${echo}`));
    const id = (await newest(`bot=${echo}`)).id;
    expect((await audited()).find(({ action }) => action === 'bot.execute')).toMatchObject({
      ...{ outcome: 0, onBehalfOf: `Bot/${echo}`, after: { run: id, version: 1, trigger: 'http' } },
    });
    const { body } = await callApi(world.owner.bearer, 'GET', `/fhir/R4/AuditEvent?entity=Bot/${echo}`);
    const events = body.entry.map(({ resource }: { resource: { type: { code: string } } }) => resource.type.code);
    expect(events).toContain('execute');
    const { resource } = body.entry.find(({ resource }: typeof body.entry) => resource.type.code === 'execute');
    expect(resource).toMatchObject({
      source: { observer: { reference: `Bot/${echo}` } },
      entity: [
        { what: { reference: `Bot/${echo}` } },
        { what: { reference: `Patient/${given}` }, role: { code: '1' } },
      ],
      agent: [{ requestor: true }, { who: { reference: `Bot/${echo}` }, requestor: false }],
    });
    const { traceId } = (await world.call('GET', `/runs/${id}`)).body;
    expect(resource.entity[0].detail).toContainEqual({ type: 'trace', valueString: traceId });
    const { start, end } = resource.period;
    expect(Date.parse(end)).toBeGreaterThanOrEqual(Date.parse(start));
    expect(JSON.stringify(resource)).not.toContain('Okonjo');
  });

  test('keeps nothing of what went through it where the project says so', async () => {
    const own = await createWorld();
    await own.call('POST', '/settings', { body: [{ name: 'botRunContents', valueBoolean: false }] });
    const greeter = await deployedBot(own, GREETS);
    const headers = { 'content-type': 'application/fhir+json' };
    await callApi(own.owner.bearer, 'POST', `/fhir/R4/Bot/${greeter}/$execute`, { body: PATIENT, headers });
    await flushRuns();
    const { id } = (await own.call('GET', '/runs')).body.rows[0];
    const revealed = await own.call('POST', `/runs/${id}/reveal`, { body: { reason: 'why' } });
    expect(revealed.text).not.toContain('Okonjo');
    expect(revealed.body).toMatchObject({ input: { text: null, isKept: false }, logs: [{ text: 'hello ••• •••' }] });
    expectOutcome(await own.call('POST', `/runs/${id}/replay`, { body: {} }), 409, 'input');
  });
});

describe('GET /runs', () => {
  test('pages through all runs of the project, each once, also where few are of the kind', async () => {
    const own = await createWorld();
    const echo = await deployedBot(
      own,
      'export async function handler(m, e) { if (e.input.n % 2) throw new Error("odd"); }',
    );
    const headers = { 'content-type': 'application/json' };
    for (let n = 0; n < 6; n++)
      await callApi(own.owner.bearer, 'POST', `/fhir/R4/Bot/${echo}/$execute`, { body: { n }, headers });
    await flushRuns();
    for (const [query, count] of [
      ['', 6],
      ['status=failed&', 3],
      ['trigger=http&', 6],
      ['trigger=webhook&', 0],
    ] as const) {
      const seen = new Set<string>();
      let next: string | null = '';
      while (next !== null) {
        const { body } = await own.call('GET', `/runs?${query}_count=2${next && `&cursor=${next}`}`);
        for (const { id } of body.rows) expect(seen.has(id)).toBe(false);
        for (const { id } of body.rows) seen.add(id);
        next = body.next;
      }
      expect(seen.size).toBe(count);
    }
    const later = new Date(Date.now() + 60_000).toISOString();
    expect((await own.call('GET', `/runs?since=${later}`)).body.rows).toEqual([]);
    expect((await own.call('GET', `/runs?until=${later}`)).body.rows).toHaveLength(6);
    const text = await own.call('POST', '/runs/search', { body: { text: '"N":3' } });
    expect(text.body.rows).toHaveLength(1);
  });

  test.each([
    'bot=x',
    'version=0',
    'status=odd',
    'trigger=x',
    'fingerprint=x',
    'since=x',
    'until=x',
    'text=x',
    'cursor=x',
  ])('400 names the parameter: %s', async (query) =>
    expectOutcome(await world.call('GET', `/runs?${query}`), 400, query.split('=')[0]!),
  );
});

describe('POST /runs/:id/reveal', () => {
  test('shows one run as it was, and tells who looked and why', async () => {
    await run(bot, PATIENT);
    const { id } = await newest(`bot=${bot}`);
    const { body, status } = await world.call('POST', `/runs/${id}/reveal`, { body: { reason: 'ticket 7' } });
    expect(status).toBe(200);
    expect(body).toMatchObject({ isMasked: false, logs: [{ text: 'hello Ngozi Okonjo' }] });
    expect(JSON.parse(body.input.text)).toEqual(PATIENT);
    const rows = await db()
      .select()
      .from(auditEvent)
      .where(eq(auditEvent.target, `Bot/${bot}`));
    expect(rows.find(({ action }) => action === 'bot.run.reveal')?.after).toEqual({ run: id, reason: 'ticket 7' });
  });

  test('400 without a reason, 404 for no run', async () => {
    const { id } = await newest(`bot=${bot}`);
    expectOutcome(await world.call('POST', `/runs/${id}/reveal`, { body: {} }), 400, 'reason');
    expectOutcome(await world.call('POST', `/runs/${newId()}/reveal`, { body: { reason: 'x' } }), 404);
  });
});

describe('replay', () => {
  test('runs it again, with the same input or another, and says of which it is', async () => {
    const echo = await deployedBot(
      world,
      'export async function handler(m, e) { return { got: e.input, trigger: e.contentType }; }',
    );
    await run(echo, { n: 1 }, { 'content-type': 'application/json' });
    const first = await newest(`bot=${echo}`);
    const path = `/runs/${first.id}/replay`;
    const again = await world.call('POST', path, { body: {} });
    expect(again.status, again.text).toBe(201);
    expect(again.body).toMatchObject({ of: first.id, version: 1, status: 'ok' });
    await flushRuns();
    const replay = (await world.call('GET', `/runs/${again.body.run}`)).body;
    expect(replay).toMatchObject({ trigger: 'replay', replayOf: first.id });
    expect(JSON.parse(replay.output.text)).toEqual({ got: { n: 1 }, trigger: 'application/json' });
    const edited = await world.call('POST', path, { body: { input: '{"n":2}', version: 'same' } });
    await flushRuns();
    expect((await world.call('GET', `/runs/${edited.body.run}`)).body.output.text).toContain('"n":2');
    expect((await world.call('GET', `/runs?replayOf=${first.id}`)).body.rows).toHaveLength(2);
    expectOutcome(await world.call('POST', path, { body: { input: '{' } }), 400, 'input');
    expectOutcome(await world.call('POST', path, { body: { version: 9 } }), 409, 'version');
    expectOutcome(await world.call('POST', path, { body: { version: 'odd' } }), 400, 'version');
  });

  test('of many runs each failure once, however often it is asked for', async () => {
    const odd = 'export async function handler(m, e) { if (e.input.n % 2) throw new Error("odd"); }';
    const own = await createWorld();
    const echo = await deployedBot(own, odd);
    const headers = { 'content-type': 'application/json' };
    for (let n = 0; n < 4; n++)
      await callApi(own.owner.bearer, 'POST', `/fhir/R4/Bot/${echo}/$execute`, { body: { n }, headers });
    await flushRuns();
    const body = { code: 'export async function handler() {}', filename: 'index.ts' };
    await callApi(own.owner.bearer, 'POST', `/fhir/R4/Bot/${echo}/$deploy`, { body });
    const replayAll = () => replayed(own, { filter: { bot: echo, status: 'failing' } });
    expect(await replayAll()).toMatchObject({ replayed: 2, ok: 2, skipped: 0 });
    expect(await replayAll()).toMatchObject({ replayed: 0, skipped: 2 });
    expectOutcome(await own.call('POST', '/runs/replay', { body: { filter: {} } }), 400, 'filter');
  });

  test('of replays that failed like what they repeat the input is run once, and only where it has not gone well', async () => {
    const own = await createWorld();
    const flaw = 'export async function handler() { throw new Error("flaw"); }';
    const failing = await deployedBot(own, flaw);
    const deploy = (code: string) =>
      callApi(own.owner.bearer, 'POST', `/fhir/R4/Bot/${failing}/$deploy`, { body: { code, filename: 'index.ts' } });
    const json = { 'content-type': 'application/json' };
    // The key of a caller names no event: it may be that of many.
    for (const n of [1, 2])
      await callApi(n === 1 ? own.owner.bearer : await clientOf(own), 'POST', `/fhir/R4/Bot/${failing}/$execute`, {
        body: { n },
        headers: { ...json, 'idempotency-key': 'theirs' },
      });
    await flushRuns();
    const [first] = (await own.call('GET', `/runs?bot=${failing}`)).body.rows;
    const all = { filter: { fingerprint: first.fingerprint } };
    await deploy(`${flaw} // 2`);
    expect(await replayed(own, all)).toMatchObject({ replayed: 2, failed: 2, skipped: 0 });
    // Four runs failed alike: of two inputs, which were run on this version.
    expect((await own.call('GET', `/runs?fingerprint=${first.fingerprint}`)).body.rows).toHaveLength(4);
    expect(await replayed(own, all)).toMatchObject({ replayed: 0, skipped: 4 });
    await deploy('export async function handler(m, e) { return e.input; }');
    // What went well with another input says nothing of this one.
    const edited = await own.call('POST', `/runs/${first.id}/replay`, { body: { input: '{"n":9}' } });
    expect(edited.body.status).toBe('ok');
    await flushRuns();
    expect(await replayed(own, { ...all, limit: 1 })).toMatchObject({ replayed: 1, ok: 1 });
    expect(await replayed(own, all)).toMatchObject({ replayed: 1, ok: 1, skipped: 3 });
    expect(await replayed(own, all)).toMatchObject({ replayed: 0, skipped: 4 });
    const well = (await own.call('GET', `/runs?bot=${failing}&status=ok`)).body.rows;
    const inputs = await Promise.all(
      well.map(async ({ id }: { id: string }) => (await own.call('GET', `/runs/${id}`)).body.input.text),
    );
    expect(inputs.sort()).toEqual(['{"n":1}', '{"n":2}', '{"n":9}']);
    // What somebody chooses though it went well is run once more.
    await deploy('export async function handler(m, e) { return 3; }');
    expect(await replayed(own, { runs: [well[0].id] })).toMatchObject({ replayed: 1 });
  });

  test('attempts at one event are one input, and need no replay when one of them went well', async () => {
    const own = await createWorld();
    const id = await deployedBot(own, 'export async function handler() {}');
    const tried = async (key: string, states: ('ok' | 'failed')[]) => {
      for (const [at, status] of states.entries())
        await db().execute(sql`
          insert into bot_run (project_id, id, bot_id, version, trigger, status, started_at, duration_ms, request_id, fingerprint, input_type, input, input_bytes, input_headers)
          values (${own.projectId}, ${crypto.randomUUID()}, ${id}, 1, 'cron', ${status}, now() - make_interval(secs => ${10 - at}), 1, 'x',
            ${status === 'ok' ? null : 'abcdef0123456789'}, 'json', '{}', 2, ${JSON.stringify({ 'idempotency-key': key })}::jsonb)`);
    };
    await tried('given-up', ['failed', 'failed', 'failed']);
    await tried('went-well', ['failed', 'ok']);
    const all = { filter: { fingerprint: 'abcdef0123456789' } };
    expect(await replayed(own, all)).toMatchObject({ replayed: 1, ok: 1, skipped: 3 });
    expect(await replayed(own, all)).toMatchObject({ replayed: 0, skipped: 4 });
  });
});

describe('403 and 404', () => {
  test('who administers nothing, and who is of another project', async () => {
    const other = await createWorld();
    const { id } = await newest(`bot=${bot}`);
    const paths: [method: string, path: string, body?: unknown][] = [
      ['GET', '/runs'],
      ['GET', `/runs/${id}`],
      ['POST', '/runs/search', { text: 'xx' }],
      ['POST', `/runs/${id}/reveal`, { reason: 'x' }],
      ['POST', `/runs/${id}/replay`, {}],
      ['POST', '/runs/replay', { filter: { bot } }],
    ];
    for (const [method, path, body] of paths) {
      expectOutcome(await world.call(method, path, { body, bearer: other.owner.bearer }), 403);
      expectOutcome(await world.call(method, path, { body, bearer: null }), 401);
      if (id && path.includes(id)) expectOutcome(await other.call(method, path, { body }), 404);
    }
  });
});

/** How a job over these ended. */
async function replayed(own: World, body: object): Promise<Record<string, number>> {
  const asked = await own.call('POST', '/runs/replay', { body });
  expect(asked.status, asked.text).toBe(202);
  const path = new URL(asked.headers.get('content-location')!).pathname;
  const job = () => callApi(own.owner.bearer, 'GET', path);
  await vi.waitUntil(async () => (await job()).status === 200, { timeout: 20_000 });
  await flushRuns();
  const { parameter } = (await job()).body.output;
  return Object.fromEntries(
    parameter.map((item: { name: string; valueInteger: number }) => [item.name, item.valueInteger]),
  );
}

/** Credentials of a program that may do everything in it. */
async function clientOf(own: World): Promise<string> {
  const { id, secret } = (await own.call('POST', '/client', { body: { name: 'Program' } })).body;
  return `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;
}
