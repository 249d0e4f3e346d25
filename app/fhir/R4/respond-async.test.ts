import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { newId } from '#lib/base/ids.ts';
import { pace } from '#lib/base/pace.ts';
import { JOB_LEASE, stopAsyncJobs } from '#lib/domain/runs/async-jobs.ts';
import { watchLostJobs } from '#lib/domain/runs/lost-jobs.ts';
import { flushRuns } from '#lib/domain/runs/record/record-run.ts';
import { stopRunner } from '#lib/domain/runs/runner.ts';
import { asyncJob } from '#lib/infra/db/schema/async-job.ts';
import { auditEvent } from '#lib/infra/db/schema/operations.ts';
import { tryLease } from '#lib/infra/db/single/leases.ts';
import { deployedBot } from '#lib/testing/bots.ts';
import { type Answer, type Call, callApi, expectOutcome } from '#lib/testing/call-api.ts';
import { countOf } from '#lib/testing/invites.ts';
import { makeClient } from '#lib/testing/people.ts';
import { db } from '#lib/testing/set-up/own-db.ts';
import { createWorld, signIn, type World } from '#lib/testing/world.ts';

const WAIT = { timeout: 20_000 };

let world: World;
const as = (method: string, path: string, call?: Call) => callApi(world.owner.bearer, method, `/fhir/R4/${path}`, call);

beforeAll(async () => {
  world = await createWorld();
});
afterEach(() => stopAsyncJobs());
afterAll(async () => {
  await flushRuns();
  await stopRunner();
});

const makeBot = (code: string, fields?: Record<string, unknown>) => deployedBot(world, code, fields);
const returning = (value: string) => `export async function handler() { return ${value}; }`;
const NEVER = 'export async function handler() { return new Promise(() => undefined); }';
const HEADERS = { 'content-type': 'application/json', prefer: 'return=minimal, respond-async' };

const start = (path: string, call: Call = {}) => as('POST', path, { body: '{}', headers: HEADERS, ...call });
const startBot = (id: string) => start(`Bot/${id}/$execute`);

function statusPath(answer: Answer): string {
  expect(answer.status, answer.text).toBe(202);
  const [, path] = /^http:\/\/localhost:3999(\/fhir\/R4\/job\/[\w-]{36}\/status)$/.exec(
    answer.headers.get('content-location') ?? '',
  )!;
  return path!;
}

/** The job once it has ended. */
async function ended(answer: Answer): Promise<Answer> {
  const path = statusPath(answer);
  await stopAsyncJobs();
  const job = await callApi(world.owner.bearer, 'GET', path);
  expect([job.status, job.body.resourceType]).toEqual([200, 'AsyncJob']);
  return job;
}

describe('Prefer: respond-async', () => {
  test('answers 202 with the place of the job, which runs and then tells its result', async () => {
    const id = await makeBot('export async function handler(m: any, e: any) { return e.input; }');
    const answer = await start(`Bot/${id}/$execute?x=1`, { body: '{"a":[1]}' });
    expect(answer.body).toMatchObject({ resourceType: 'OperationOutcome', id: 'accepted' });
    expect(answer.body.issue[0].diagnostics).toBe(answer.headers.get('content-location'));
    const { body } = await ended(answer);
    expect(body).toMatchObject({
      status: 'completed',
      request: `http://localhost:3999/fhir/R4/Bot/${id}/$execute?x=1`,
      output: { resourceType: 'Parameters', parameter: [{ name: 'responseBody', valueString: '{"a":[1]}' }] },
    });
    expect(Date.parse(body.transactionTime)).toBeGreaterThanOrEqual(Date.parse(body.requestTime));
    const audit = await db()
      .select()
      .from(auditEvent)
      .where(eq(auditEvent.target, `AsyncJob/${body.id}`));
    expect(audit.map(({ action }) => action)).toEqual(['bot.job.start']);
  });

  test.each([
    ['true', [{ name: 'responseBody', valueBoolean: true }]],
    ['42', [{ name: 'responseBody', valueString: '42' }]],
    ['"text"', [{ name: 'responseBody', valueString: 'text' }]],
    ['null', undefined],
    ['undefined', [{ name: 'outcome', resource: expect.objectContaining({ id: 'ok' }) }]],
  ])('%s', async (value, parameter) => {
    const { body } = await ended(await startBot(await makeBot(returning(value))));
    expect([body.status, body.output.parameter]).toEqual(['completed', parameter]);
  });

  test.each([
    ['a bot that throws', `export async function handler() { throw new Error('broken'); }`, 'broken'],
    [
      'an outcome that is not ok',
      returning(
        `{ resourceType: 'OperationOutcome', id: 'not-found', issue: [{ severity: 'error', code: 'not-found', details: { text: 'gone' } }] }`,
      ),
      'gone',
    ],
    ['a bot without code', undefined, 'No executable code'],
  ])('%s is a job that failed', async (_, code, text) => {
    const id = code ? await makeBot(code) : (await world.call('POST', '/bot', { body: { name: 'Empty' } })).body.id;
    const { body } = await ended(await startBot(id));
    expect([body.status, body.output.parameter[0].name]).toEqual(['error', 'outcome']);
    expect(body.output.parameter[0].resource.issue[0].details.text).toContain(text);
  });

  test.each(['Bot/$execute', 'Bot/$execute?identifier=nobody', `Bot/${newId()}/$execute`])(
    '%s: what is not there is the job’s failure',
    async (path) => {
      const { body } = await ended(await start(path));
      expect([body.status, body.output.parameter[0].resource.resourceType]).toEqual(['error', 'OperationOutcome']);
    },
  );

  test('by GET too; a body that cannot be read is refused at once; nobody is 401', async () => {
    const id = await makeBot('export async function handler(m: any, e: any) { return e.input.a; }');
    const { body } = await ended(await as('GET', `Bot/${id}/$execute?a=1`, { headers: { prefer: 'respond-async' } }));
    expect(body.output.parameter[0].valueString).toBe('1');
    expectOutcome(await start(`Bot/${id}/$execute`, { body: '{' }), 400);
    expectOutcome(await callApi(undefined, 'POST', `/fhir/R4/Bot/${id}/$execute`, { headers: HEADERS }), 401);
  });

  test('once for each Idempotency-Key', async () => {
    const id = await makeBot(
      `export async function handler(m: any) { return m.createResource({ resourceType: 'Basic', code: { text: 'x' } }); }`,
    );
    const headers = { ...HEADERS, 'idempotency-key': newId() };
    const before = await countOf(world.projectId, 'Basic');
    const [one, two] = [await start(`Bot/${id}/$execute`, { headers }), await start(`Bot/${id}/$execute`, { headers })];
    expect(statusPath(two)).toBe(statusPath(one));
    await ended(one);
    expect(await countOf(world.projectId, 'Basic')).toBe(before + 1);
  });
});

describe('the status', () => {
  test('is 202 while it runs, and told to nobody but the caller and administrators', async () => {
    const id = await makeBot(NEVER, { timeout: 1 });
    const [caller, neighbour] = [await makeClient(world.projectId), await makeClient(world.projectId)];
    const started = await callApi(caller.basic, 'POST', `/fhir/R4/Bot/${id}/$execute`, {
      body: '{}',
      headers: HEADERS,
    });
    const path = statusPath(started);
    for (const by of [caller.basic, world.owner.bearer]) {
      const answer = await callApi(by, 'GET', path);
      expect([answer.status, ['accepted', 'active']]).toEqual([202, expect.arrayContaining([answer.body.status])]);
      expect(answer.body.output).toBeUndefined();
    }
    const stranger = (await createWorld()).owner.bearer;
    for (const method of ['GET', 'DELETE']) {
      for (const by of [neighbour.basic, stranger]) expectOutcome(await callApi(by, method, path), 404);
      expectOutcome(await callApi(undefined, method, path), 401);
      for (const unknown of [newId(), 'nonsense']) expectOutcome(await as(method, `job/${unknown}/status`), 404);
    }
    expectOutcome(await callApi(caller.basic, 'POST', path), 405);
    await ended(started);
    const { body } = await callApi(caller.basic, 'GET', path);
    expect([body.status, body.output.parameter[0].resource.issue[0].code]).toEqual(['error', 'timeout']);
  });

  test('what was asked and answered is told to who asked alone', async () => {
    const id = await makeBot(
      `export async function handler(medplum, event) { return { family: event.input.family }; }`,
    );
    const caller = await makeClient(world.projectId);
    const path = `/fhir/R4/Bot/${id}/$execute?family=Okonjo`;
    const started = await callApi(caller.basic, 'GET', path, { headers: HEADERS });
    const job = statusPath(started);
    await vi.waitUntil(async () => (await callApi(caller.basic, 'GET', job)).status === 200, 20_000);
    expect((await callApi(caller.basic, 'GET', job)).text).toContain('Okonjo');
    const told = await callApi(world.owner.bearer, 'GET', job);
    expect(told.body).toMatchObject({ status: 'completed', request: expect.stringMatching(/\$execute$/) });
    expect(told.text).not.toContain('Okonjo');
    const policy = { resourceType: 'AccessPolicy', name: 'Bots', resource: [{ resourceType: 'Bot' }] };
    const made = await callApi(world.owner.bearer, 'POST', '/fhir/R4/AccessPolicy', { body: policy });
    const membership = { admin: true, accessPolicy: { reference: `AccessPolicy/${made.body.id}` } };
    const limited = await world.invite({ membership });
    const bearer = await signIn(world.projectId, limited.id, limited.user.reference);
    const headers = { 'x-medplum-on-behalf-of': `ProjectMembership/${caller.membershipId}` };
    expectOutcome(await callApi(bearer, 'GET', job, { headers }), 404);
    expect((await callApi(world.owner.bearer, 'GET', job, { headers })).text).toContain('Okonjo');
  });

  test('DELETE stops a bot that asks for nothing', async () => {
    const started = await start(
      `Bot/${await makeBot('export async function handler() { for (;;); }', { timeout: 600 })}/$execute`,
    );
    const path = statusPath(started);
    await vi.waitUntil(async () => (await callApi(world.owner.bearer, 'GET', path)).body.status === 'active', WAIT);
    expect((await callApi(world.owner.bearer, 'DELETE', path)).status).toBe(200);
    // Waits for the run itself.
    await stopAsyncJobs(600_000);
    expect((await callApi(world.owner.bearer, 'GET', path)).body.status).toBe('cancelled');
  });

  test('DELETE cancels: the bot can do nothing more, and the result is not kept; 409 for what has ended', async () => {
    const code = `export async function handler(m: any) { for (;;) await m.readResource('Patient', '1').catch((error: any) => {
      if (error.outcome?.id !== 'not-found') throw error;
    }); }`;
    const started = await start(`Bot/${await makeBot(code, { timeout: 600 })}/$execute`);
    const path = statusPath(started);
    for (const _ of [1, 2]) expect((await callApi(world.owner.bearer, 'DELETE', path)).status).toBe(200);
    const job = await ended(started);
    expect([job.body.status, job.body.output]).toEqual(['cancelled', undefined]);
    const done = await startBot(await makeBot(returning('1')));
    await ended(done);
    expectOutcome(await callApi(world.owner.bearer, 'DELETE', statusPath(done)), 409);
  });
});

describe('a server that ends', () => {
  test('waits for its jobs, and says of those that take too long that they were cut off', async () => {
    const started = await start(`Bot/${await makeBot(NEVER, { timeout: 2 })}/$execute`);
    const path = statusPath(started);
    await stopAsyncJobs(0);
    const cut = await callApi(world.owner.bearer, 'GET', path);
    expect([cut.status, cut.body.status]).toEqual([200, 'error']);
    await stopAsyncJobs();
    expect((await callApi(world.owner.bearer, 'GET', path)).text).toBe(cut.text);
  });

  test('without a word has its jobs ended by the others within seconds; those that somebody holds are left alone', async () => {
    const request = `urn:${newId()}`;
    const job = (agoMs: number) => ({
      ...{ projectId: world.projectId, id: newId(), membershipId: world.owner.membershipId, request },
      ...{ status: 'active' as const, aliveAt: new Date(Date.now() - agoMs) },
    });
    const [old, young, held] = [job(16_000), job(0), job(16_000)];
    await db().insert(asyncJob).values([old, young, held]);
    const lease = await tryLease(`${JOB_LEASE}${held.id}`, 1);
    const read = async ({ id }: { id: string }) => (await as('GET', `job/${id}/status`)).body;
    const stop = await watchLostJobs();
    for (const lost of [old, young]) await vi.waitUntil(async () => (await read(lost)).status === 'error', WAIT);
    expect((await read(old)).output.parameter[0].resource.issue[0].details.text).toMatch(/stopped while it ran/);
    expect((await read(held)).status).toBe('active');
    lease?.release();
    await vi.waitUntil(async () => (await read(held)).status === 'error', WAIT);
    stop();
  });
});

describe('Accept: text/event-stream', () => {
  const stream = async (code: string, headers = {}) => {
    const accept = 'text/event-stream, application/json;q=0.1';
    const call = { body: '{}', headers: { 'content-type': 'application/json', accept, ...headers } };
    return as('POST', `Bot/${await makeBot(code)}/$execute`, call);
  };

  test.each([
    ['{ a: [1] }', '{"a":[1]}'],
    ['"two\\nlines"', '"two\\nlines"'],
    ['null', 'null'],
    ['false', 'false'],
  ])('%s is one frame and the end', async (value, frame) => {
    const answer = await stream(returning(value));
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
    expect(answer.text).toBe(`data: ${frame}\n\ndata: [DONE]\n\n`);
  });

  test.each([
    [`export async function handler() { throw new Error('broken'); }`, 'broken'],
    [
      returning(
        `{ resourceType: 'OperationOutcome', id: 'gone', issue: [{ severity: 'error', code: 'deleted', diagnostics: 'away' }] }`,
      ),
      'away',
    ],
  ])('an error is a frame: %s', async (code, message) => {
    const answer = await stream(code);
    expect([answer.status, answer.text]).toEqual([200, expect.stringMatching(/^data: .+\n\n$/)]);
    expect(JSON.parse(answer.text.slice(6))).toEqual({ error: true, message: expect.stringContaining(message) });
  });

  test('one that takes long says all along that it lives, and then its value', async () => {
    const before = pace.streamBeatMs;
    pace.streamBeatMs = 20;
    try {
      const slow = `export async function handler() { await new Promise((done) => setTimeout(done, 500)); return 'late'; }`;
      const { status, text } = await stream(slow);
      expect([status, text]).toEqual([200, expect.stringMatching(/^(?::\n\n){2,}data: "late"\n\ndata: \[DONE\]\n\n$/)]);
    } finally {
      pace.streamBeatMs = before;
    }
  });

  test('what keeps the bot from running is an ordinary error; a failed stream may be tried again with its key', async () => {
    expectOutcome(await as('POST', `Bot/${newId()}/$execute`, { headers: { accept: 'text/event-stream' } }), 404);
    const id = await makeBot(`export async function handler() { throw new Error('first'); }`);
    const headers = { accept: 'text/event-stream', 'idempotency-key': newId() };
    const run = () => as('POST', `Bot/${id}/$execute`, { headers });
    expect((await run()).text).toContain('first');
    const body = { code: returning('"second"'), filename: 'index.ts' };
    await as('POST', `Bot/${id}/$deploy`, { body });
    expect((await run()).text).toContain('second');
  });
});
