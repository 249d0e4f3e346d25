import { afterAll, expect, test } from 'vitest';
import { flushRuns } from '#lib/domain/runs/record/record-run.ts';
import { stopRunner } from '#lib/domain/runs/runner.ts';
import { callApi, expectOutcome } from '#lib/testing/call-api.ts';
import { createWorld, signIn, type World } from '#lib/testing/world.ts';

afterAll(stopRunner);

const ECHO =
  'export async function handler(medplum, event) { console.log("seen", event.input.n); return event.input; }';
const THROWS = 'export async function handler() { throw new Error("no such luck"); }';

async function makeBot(world: World, name = 'Echo'): Promise<string> {
  const answer = await world.call('POST', '/bot', { body: { name } });
  expect(answer.status, answer.text).toBe(201);
  return answer.body.id;
}

async function deploy(world: World, botId: string, code: string): Promise<void> {
  const body = { code, filename: 'index.ts' };
  const answer = await callApi(world.owner.bearer, 'POST', `/fhir/R4/Bot/${botId}/$deploy`, { body });
  expect(answer.status, answer.text).toBe(200);
}

async function execute(world: World, botId: string, body: unknown = { n: 1 }) {
  const headers = { 'content-type': 'application/json' };
  const answer = await callApi(world.owner.bearer, 'POST', `/fhir/R4/Bot/${botId}/$execute`, { body, headers });
  await flushRuns();
  return answer;
}

async function get(world: World, path: string) {
  const answer = await world.call('GET', `/bots${path}`);
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}

test('the list says what runs, whether the source is ahead of it, and how the runs went', async () => {
  const world = await createWorld();
  const [idle, busy] = [await makeBot(world, 'Idle'), await makeBot(world, 'Busy')];
  expect((await get(world, '')).rows.find((row: { id: string }) => row.id === idle)).toMatchObject({
    name: 'Idle',
    live: null,
    draft: true,
    runs24h: 0,
    successPercent: null,
    hours: Array(24).fill([0, 0]),
    failing: false,
    p95Ms: null,
    lastRun: null,
  });
  await world.call('PUT', `/bots/${busy}/source`, { body: { code: ECHO } });
  await deploy(world, busy, ECHO);
  await execute(world, busy);
  await execute(world, busy);
  await execute(world, busy);
  await deploy(world, busy, THROWS);
  await execute(world, busy);
  const { total, rows } = await get(world, '');
  expect(total).toBe(2);
  expect(rows[0]).toMatchObject({ name: 'Busy', live: 2, draft: true, runs24h: 4, failed24h: 1, successPercent: 75 });
  expect(rows[0].lastRun.status).toBe('failed');
  expect(rows[0]).toMatchObject({ failing: true });
  const sum = (hours: number[][]) =>
    hours.reduce(([runs = 0, failed = 0], [r = 0, f = 0]) => [runs + r, failed + f], [0, 0]);
  // Two hours, where the clock struck meanwhile.
  expect(sum(rows[0].hours.slice(-2))).toEqual([4, 1]);
  expect((await world.call('GET', '/overview')).body.findings).toContainEqual(
    expect.objectContaining({ kind: 'bot-failing', target: `Bot/${busy}`, fix: 'open-bot' }),
  );
  expect(rows[0].p95Ms).toBeGreaterThanOrEqual(0);
  expect((await world.call('POST', `/bots/${busy}/rollback`, { body: { number: 1 } })).body).toEqual({ number: 3 });
  expect((await get(world, '')).rows[0]).toMatchObject({ live: 3, draft: false });
});

test('the source is saved without being deployed, and only over what one has seen', async () => {
  const world = await createWorld();
  const botId = await makeBot(world);
  const first = await world.call('GET', `/bots/${botId}/source`);
  expect(first.body).toMatchObject({ filename: 'index.ts', version: 1 });
  expect(first.body.code).toContain('export async function handler');
  const headers = { 'if-match': first.headers.get('etag')! };
  const saved = await world.call('PUT', `/bots/${botId}/source`, { headers, body: { code: 'é', filename: 'main.js' } });
  expect(saved.body).toEqual({ version: 2 });
  expect(saved.headers.get('etag')).toBe('W/"2"');
  expectOutcome(await world.call('PUT', `/bots/${botId}/source`, { headers, body: { code: 'b' } }), 412);
  expect(await get(world, `/${botId}/source`)).toEqual({ code: 'é', filename: 'main.js', version: 2, from: null });
  expect(await get(world, `/${botId}/versions`)).toEqual({ live: null, elsewhere: false, rows: [] });
  expectOutcome(await world.call('PUT', `/bots/${botId}/source`, { body: {} }), 400, 'code');
  expectOutcome(
    await world.call('PUT', `/bots/${botId}/source`, { body: { code: '', filename: 'x.py' } }),
    400,
    'filename',
  );
  expectOutcome(await world.call('PUT', `/bots/${botId}/source`, { body: { code: 'é'.repeat(600_000) } }), 400, 'code');
});

test('what runs is what opens, while nobody has edited the draft', async () => {
  const world = await createWorld();
  const botId = await makeBot(world);
  await deploy(world, botId, ECHO);
  expect(await get(world, `/${botId}/source`)).toMatchObject({ code: ECHO, from: 1 });
  await world.call('PUT', `/bots/${botId}/source`, { body: { code: THROWS } });
  expect(await get(world, `/${botId}/source`)).toMatchObject({ code: THROWS, from: null });
  await deploy(world, botId, THROWS);
  await world.call('POST', `/bots/${botId}/rollback`, { body: { number: 1 } });
  expect(await get(world, `/${botId}/source`)).toMatchObject({ code: ECHO, from: 3 });
});

test('a source that the peer’s client saved as a Binary is read too', async () => {
  const world = await createWorld();
  const botId = await makeBot(world);
  const headers = { 'content-type': 'text/typescript' };
  const binary = await callApi(world.owner.bearer, 'POST', '/fhir/R4/Binary', { body: ECHO, headers });
  const url = `Binary/${binary.body.id}`;
  const patch = [{ op: 'replace', path: '/sourceCode', value: { contentType: 'text/typescript', title: 'e.ts', url } }];
  const patched = await callApi(world.owner.bearer, 'PATCH', `/fhir/R4/Bot/${botId}`, {
    body: patch,
    headers: { 'content-type': 'application/json-patch+json' },
  });
  expect(patched.status, patched.text).toBe(200);
  expect(await get(world, `/${botId}/source`)).toMatchObject({ code: ECHO, filename: 'e.ts' });
  await deploy(world, botId, ECHO);
  expect((await get(world, '')).rows[0].draft).toBe(false);
  expect((await get(world, `/${botId}/versions`)).elsewhere).toBe(false);
  const path = `/fhir/R4/Bot/${botId}`;
  const odd = [{ op: 'replace', path: '/sourceCode', value: { url: `Binary/${'-'.repeat(36)}` } }];
  const type = { 'content-type': 'application/json-patch+json' };
  expect((await callApi(world.owner.bearer, 'PATCH', path, { body: odd, headers: type })).status).toBe(200);
  await deploy(world, botId, THROWS);
  expect((await get(world, `/${botId}/versions`)).elsewhere).toBe(true);
  expect((await get(world, '')).rows[0].draft).toBe(true);
});

test('nobody reads a Binary by naming it as the source of a bot who may not read it itself', async () => {
  const world = await createWorld();
  const policy = {
    resourceType: 'AccessPolicy',
    name: 'Bots, and what belongs to patients that are active',
    resource: [
      { resourceType: 'Bot' },
      { resourceType: 'Binary' },
      { resourceType: 'Patient', criteria: 'Patient?active=true' },
    ],
  };
  const made = await callApi(world.owner.bearer, 'POST', '/fhir/R4/AccessPolicy', { body: policy });
  const blind = { ...policy, name: 'Bots alone', resource: [{ resourceType: 'Bot' }] };
  const other = await callApi(world.owner.bearer, 'POST', '/fhir/R4/AccessPolicy', { body: blind });
  const administrator = async ({ id }: { id: string }) => {
    const membership = { admin: true, accessPolicy: { reference: `AccessPolicy/${id}` } };
    const member = await world.invite({ membership });
    return signIn(world.projectId, member.id, member.user.reference);
  };
  const patient = await callApi(world.owner.bearer, 'POST', '/fhir/R4/Patient', {
    body: { resourceType: 'Patient', active: false },
  });
  const binary = async (more: Record<string, string> = {}) => {
    const headers = { 'content-type': 'text/plain', ...more };
    return (await callApi(world.owner.bearer, 'POST', '/fhir/R4/Binary', { body: 'what it says', headers })).body.id;
  };
  const [open, guarded] = [await binary(), await binary({ 'x-security-context': `Patient/${patient.body.id}` })];
  const told = async (bearer: string, id: string) => {
    const botId = await makeBot(world);
    const patched = await callApi(bearer, 'PATCH', `/fhir/R4/Bot/${botId}`, {
      body: [
        { op: 'add', path: '/sourceCode', value: { contentType: 'text/plain', title: 'e.ts', url: `Binary/${id}` } },
      ],
      headers: { 'content-type': 'application/json-patch+json' },
    });
    expect(patched.status, patched.text).toBe(200);
    const source = await world.call('GET', `/bots/${botId}/source`, { bearer });
    const copied = await world.call('POST', `/bots/${botId}/duplicate`, { bearer, body: { name: 'Copy' } });
    return [source, copied].map(({ text }) => text.includes('what it says') || text.includes('d2hhdCBpdCBzYXlz'));
  };
  const [limited, none] = [await administrator(made.body), await administrator(other.body)];
  expect((await told(limited, open))[0]).toBe(true);
  expect(await told(limited, guarded)).toEqual([false, false]);
  expect(await told(none, open)).toEqual([false, false]);
  expect((await told(world.owner.bearer, guarded))[0]).toBe(true);
});

test('code that was deployed past the draft is known as such, until it is the draft or replaced by it', async () => {
  const world = await createWorld();
  const botId = await makeBot(world);
  const save = (code: string) => world.call('PUT', `/bots/${botId}/source`, { body: { code } });
  const isElsewhere = async () => (await get(world, `/${botId}/versions`)).elsewhere;
  await deploy(world, botId, ECHO);
  expect(await isElsewhere()).toBe(true);
  await save(`// a draft of its own\n${THROWS}`);
  expect(await isElsewhere()).toBe(true);
  await save(ECHO);
  expect(await isElsewhere()).toBe(false);
  // A draft that goes on from there is ahead of what runs.
  await save(THROWS);
  expect(await isElsewhere()).toBe(false);
  await deploy(world, botId, THROWS);
  expect(await isElsewhere()).toBe(false);
  await deploy(world, botId, `// by hand\n${THROWS}`);
  expect(await isElsewhere()).toBe(true);
  await world.call('POST', `/bots/${botId}/rollback`, { body: { number: 2 } });
  expect(await isElsewhere()).toBe(false);
});

test('versions keep their source and author; a rollback is a new version that runs the old code', async () => {
  const world = await createWorld();
  const botId = await makeBot(world);
  await deploy(world, botId, ECHO);
  await deploy(world, botId, THROWS);
  expect((await execute(world, botId)).status).toBe(400);
  const rolled = await world.call('POST', `/bots/${botId}/rollback`, { body: { number: 1 } });
  expect(rolled).toMatchObject({ status: 201, body: { number: 3 } });
  expect((await execute(world, botId, { n: 7 })).body).toEqual({ n: 7 });
  const { live, rows } = await get(world, `/${botId}/versions`);
  expect(live).toBe(3);
  expect(rows.map((row: { number: number; live: boolean }) => [row.number, row.live])).toEqual([
    [3, true],
    [2, false],
    [1, false],
  ]);
  expect(rows[0]).toMatchObject({ filename: 'index.ts', bytes: ECHO.length, author: { display: 'Olga Owner' } });
  expect(await get(world, `/${botId}/versions/2`)).toMatchObject({ number: 2, source: THROWS, live: false });
  for (const number of ['4', '0', 'x', '99999999999']) {
    expectOutcome(await world.call('GET', `/bots/${botId}/versions/${number}`), 404);
  }
  expectOutcome(await world.call('POST', `/bots/${botId}/rollback`, { body: { number: 9 } }), 400, 'number');
});

test('a bot that returns an outcome of failure has failed', async () => {
  const world = await createWorld();
  const botId = await makeBot(world);
  const issue = [{ severity: 'error', code: 'invalid', details: { text: 'No such ward' } }];
  for (const id of ['ok', 'bad']) {
    const outcome = { resourceType: 'OperationOutcome', id, issue };
    await deploy(world, botId, `export async function handler() { return ${JSON.stringify(outcome)}; }`);
    await execute(world, botId);
  }
  const { rows } = await get(world, `/${botId}/runs`);
  expect(rows.map(({ status }: { status: string }) => status)).toEqual(['failed', 'ok']);
  expect(await get(world, `/${botId}/runs/${rows[0].id}`)).toMatchObject({ message: 'No such ward' });
});

test('runs are paged without a gap, filtered by status, and tell their logs one by one', async () => {
  const world = await createWorld();
  const botId = await makeBot(world);
  await deploy(world, botId, ECHO);
  for (let n = 0; n < 5; n++) await execute(world, botId, { n });
  await deploy(world, botId, THROWS);
  await execute(world, botId);
  const seen: string[] = [];
  let cursor = '';
  do {
    const page = await get(world, `/${botId}/runs?_count=2${cursor && `&cursor=${cursor}`}`);
    expect(page.rows.length).toBeLessThanOrEqual(2);
    seen.push(...page.rows.map((row: { id: string }) => row.id));
    cursor = page.next ?? '';
  } while (cursor);
  expect(new Set(seen).size).toBe(6);
  const failed = await get(world, `/${botId}/runs?status=failed`);
  expect(failed.rows).toHaveLength(1);
  expect(failed.rows[0]).toMatchObject({
    id: seen[0],
    status: 'failed',
    version: 2,
    trigger: 'http',
    requester: { display: 'Olga Owner' },
  });
  expect(failed.rows[0].message).toContain('no such luck');
  const run = await get(world, `/${botId}/runs/${seen[5]}`);
  expect(run).toMatchObject({
    status: 'ok',
    version: 1,
    message: null,
    logs: [{ level: expect.any(String), text: 'seen 0' }],
  });
  // The one that a request made, however many came after it.
  const asked = await execute(world, botId, { n: 'asked' });
  for (let n = 0; n < 3; n += 1) await execute(world, botId);
  const requestId = asked.headers.get('x-request-id');
  const mine = await get(world, `/${botId}/runs?_count=1&requestId=${requestId}`);
  expect(mine.rows).toMatchObject([{ requestId }]);
  expect((await get(world, `/${botId}/runs?requestId=another`)).rows).toEqual([]);
  expectOutcome(await world.call('GET', `/bots/${botId}/runs?requestId=${'x'.repeat(201)}`), 400, 'requestId');
  expectOutcome(await world.call('GET', `/bots/${botId}/runs?status=lost`), 400, 'status');
  expectOutcome(await world.call('GET', `/bots/${botId}/runs?cursor=x`), 400, 'cursor');
});

test('only administrators of the project, and only its own bots', async () => {
  const [world, other] = [await createWorld(), await createWorld()];
  const botId = await makeBot(world);
  const calls = [
    ['GET', `/bots/${botId}/versions`],
    ['GET', `/bots/${botId}/versions/1`],
    ['POST', `/bots/${botId}/rollback`],
    ['GET', `/bots/${botId}/runs`],
    ['GET', `/bots/${botId}/runs/${botId}`],
    ['GET', `/bots/${botId}/source`],
    ['PUT', `/bots/${botId}/source`],
  ] as const;
  for (const [method, path] of calls) {
    const body = path.endsWith('rollback') ? { number: 1 } : method === 'PUT' ? { code: '' } : undefined;
    expectOutcome(await world.call(method, path, { body, bearer: null }), 401);
    expectOutcome(await world.call(method, path, { body, bearer: other.owner.bearer }), 403);
    expectOutcome(await other.call(method, path, { body }), 404);
    expectOutcome(await other.call(method, path.replace(botId, 'nonsense'), { body }), 404);
  }
  expectOutcome(await world.call('GET', '/bots', { bearer: other.owner.bearer }), 403);
});
