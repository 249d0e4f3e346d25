import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { newId } from '#lib/base/ids.ts';
import { stopAsyncJobs } from '#lib/domain/runs/async-jobs.ts';
import { flushRuns } from '#lib/domain/runs/record/record-run.ts';
import { stopRunner } from '#lib/domain/runs/runner.ts';
import { deployedBot } from '#lib/testing/bots.ts';
import { callApi } from '#lib/testing/call-api.ts';
import { createWorld, signIn, type World } from '#lib/testing/world.ts';

const WAIT = { timeout: 30_000, interval: 50 };

let world: World;
let other: World;
beforeAll(async () => {
  [world, other] = await Promise.all([createWorld(), createWorld()]);
});
afterEach(() => stopAsyncJobs());
afterAll(async () => {
  await flushRuns();
  await stopRunner();
});

/** A bot that sleeps until there is what it looks for. */
async function sleeper() {
  const value = newId();
  const code = `export async function handler(m: any) {
    while (!(await m.searchOne('Basic', 'identifier=${value}'))) await new Promise((done) => setTimeout(done, 200));
    return 'woken';
  }`;
  const id = await deployedBot(world, code, { timeout: 120 });
  const execute = (headers = {}) =>
    callApi(world.owner.bearer, 'POST', `/fhir/R4/Bot/${id}/$execute`, { body: {}, headers });
  const wake = () =>
    callApi(world.owner.bearer, 'POST', '/fhir/R4/Basic', {
      body: { resourceType: 'Basic', code: { text: 'wake' }, identifier: [{ value }] },
    });
  return { execute, wake };
}

test('runs of one project wait for each other and for nobody else; past a hundred they are told to come again', async () => {
  const { execute, wake } = await sleeper();
  const answers: number[] = [];
  const all = Array.from({ length: 160 }, async () => {
    const answer = await execute();
    answers.push(answer.status);
    return answer;
  });
  await vi.waitUntil(() => answers.length === 10, WAIT);
  const echo = await deployedBot(other, 'export async function handler() { return 1; }');
  const answer = await callApi(other.owner.bearer, 'POST', `/fhir/R4/Bot/${echo}/$execute`, { body: {} });
  expect([answer.status, answers]).toEqual([200, answers.map(() => 429)]);
  await wake();
  const refused = (await Promise.all(all)).filter(({ status }) => status !== 200);
  expect(refused).toHaveLength(10);
  for (const { headers, body } of refused) {
    expect([headers.get('retry-after'), headers.get('ratelimit')]).toEqual(['5', '"bots";r=0;t=5']);
    expect(body.issue[0].code).toBe('throttled');
  }
});

test('who waits runs with the rights that they have when it is their turn', async () => {
  const { execute, wake } = await sleeper();
  const all = Array.from({ length: 50 }, () => execute());
  const running = async () => (await world.call('GET', '/runs/running')).body.rows.length;
  await vi.waitUntil(async () => (await running()) === 50, WAIT);
  const writes = await deployedBot(
    world,
    `export async function handler(m: any) { return m.createResource({ resourceType: 'Basic', code: { text: 'late' } }); }`,
    { runAsUser: true },
  );
  const { id, user } = await world.invite();
  const bearer = await signIn(world.projectId, id, user.reference);
  const headers = { prefer: 'respond-async' };
  const started = await callApi(bearer, 'POST', `/fhir/R4/Bot/${writes}/$execute`, { body: {}, headers });
  expect(started.status).toBe(202);
  const job = new URL(started.headers.get('content-location')!).pathname;
  const ended = [{ op: 'add', path: '/active', value: false }];
  expect((await world.call('PATCH', `/members/${id}`, { body: ended })).status).toBe(200);
  await wake();
  await Promise.all(all);
  const status = async () => (await callApi(world.owner.bearer, 'GET', job)).body.status;
  await vi.waitUntil(async () => (await status()) === 'error', WAIT);
  const { body } = await callApi(world.owner.bearer, 'GET', '/fhir/R4/Basic?_count=1000');
  const texts = body.entry.map(({ resource }: { resource: { code: { text: string } } }) => resource.code.text);
  expect(texts).not.toContain('late');
});

test('of jobs fifty run, as many wait, and more are 429, whoever asks', async () => {
  const { execute, wake } = await sleeper();
  const started = await Promise.all(Array.from({ length: 110 }, () => execute({ prefer: 'respond-async' })));
  const accepted = started.filter(({ status }) => status === 202);
  expect([accepted.length, started.length - accepted.length]).toEqual([100, 10]);
  const states = async () => {
    const jobs = accepted.map(({ headers }) => new URL(headers.get('content-location')!).pathname);
    const read = await Promise.all(jobs.map((path) => callApi(world.owner.bearer, 'GET', path)));
    return read.map(({ body }) => body.status);
  };
  await vi.waitUntil(async () => (await states()).filter((state) => state === 'active').length === 50, WAIT);
  expect((await states()).filter((state) => state === 'accepted')).toHaveLength(50);
  await wake();
  await vi.waitUntil(async () => (await states()).every((state) => state === 'completed'), WAIT);
});
