import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { flushRuns } from '#lib/domain/runs/record/record-run.ts';
import { stopRunner } from '#lib/domain/runs/runner.ts';
import { IMPLEMENTATION } from '#lib/protocol/bots/operations/operation-definition.ts';
import { deployedBot } from '#lib/testing/bots.ts';
import { type Answer, type Call, callApi } from '#lib/testing/call-api.ts';
import { callFhir, expectIssue } from '#lib/testing/fhir/call-fhir.ts';
import { makeFhirProject } from '#lib/testing/fhir/fhir-project.ts';
import { createWorld, type World } from '#lib/testing/world.ts';

let world: World;
let other: World;
let echo: string;

beforeAll(async () => {
  [world, other] = await Promise.all([createWorld(), createWorld()]);
  echo = await deployedBot(
    world,
    'export async function handler(m: any, e: any) { return { input: e.input, headers: e.headers }; }',
  );
});
afterAll(async () => {
  await flushRuns();
  await stopRunner();
});

const as = (method: string, path: string, call?: Call, bearer = world.owner.bearer) =>
  callApi(bearer, method, `/fhir/R4/${path}`, call);
let count = 0;

/** A new code, defined so; with `gives`, what its bot returns. */
async function defined(fields: object = {}, bot = echo, owner = world): Promise<string> {
  const code = `op-${count++}`;
  const body = {
    resourceType: 'OperationDefinition',
    name: code,
    status: 'active',
    kind: 'operation',
    code,
    system: false,
    type: true,
    instance: false,
    extension: [{ url: IMPLEMENTATION, valueReference: { reference: `Bot/${bot}` } }],
    ...fields,
  };
  const made = await as('POST', 'OperationDefinition', { body }, owner.owner.bearer);
  expect(made.status, made.text).toBe(201);
  return (body as { code: string }).code;
}

async function makePatient(): Promise<string> {
  return (await as('POST', 'Patient', { body: { resourceType: 'Patient' } })).body.id;
}

async function giving(value: string, parameter: object[]): Promise<Answer> {
  const bot = await deployedBot(world, `export async function handler() { return ${value}; }`);
  const out = parameter.map((one) => ({ use: 'out', min: 0, max: '1', ...one }));
  return as('POST', `Patient/$${await defined({ parameter: out }, bot)}`, { body: {} });
}

describe('an operation that a bot does', () => {
  test('is called with its body, or its query by GET', async () => {
    const code = await defined({ resource: ['Patient'] });
    const posted = await as('POST', `Patient/$${code}`, { body: { resourceType: 'Patient', active: true } });
    expect([posted.status, posted.body.input]).toEqual([200, { resourceType: 'Patient', active: true }]);
    expect(posted.headers.get('content-type')).toMatch(/^application\/json/);
    const got = await as('GET', `Patient/$${code}?a=1&identifier=x`);
    expect([got.status, got.body.input]).toEqual([200, { a: '1', identifier: 'x' }]);
    const text = await as('POST', `Patient/$${code}`, { body: 'hi', headers: { 'content-type': 'text/plain' } });
    expect(text.status).toBe(200);
    const entry = [{ request: { method: 'POST', url: `Patient/$${code}` }, resource: { resourceType: 'Patient' } }];
    entry.push({ request: { method: 'GET', url: `Patient/$${code}?a=1` } } as never);
    const batch = await as('POST', '', { body: { resourceType: 'Bundle', type: 'batch', entry } });
    for (const at of [0, 1]) expect(batch.body.entry[at].response.status, batch.text).toMatch(/^200/);
    expect(batch.body.entry[1].resource.input).toEqual({ a: '1' });
  });

  test('where it says it is: system, types, instances; with capitals as it has them', async () => {
    const id = await makePatient();
    const at = async (code: string) => {
      const places = [`$${code}`, `Patient/$${code}`, `Basic/$${code}`, `Patient/${id}/$${code}`];
      return Promise.all(places.map(async (path) => (await as('POST', path, { body: {} })).status));
    };
    expect(await at(await defined({ resource: ['Patient'] }))).toEqual([404, 200, 404, 404]);
    expect(await at(await defined({ resource: ['Resource'] }))).toEqual([404, 200, 200, 404]);
    expect(await at(await defined({ instance: true, type: false, resource: ['Patient'] }))).toEqual([
      404, 404, 404, 200,
    ]);
    // As the peer documents it: of the system, called at a type.
    expect(await at(await defined({ system: true, type: false }))).toEqual([200, 200, 200, 404]);
    expect(await at(await defined({ system: true, type: false, resource: ['Patient'] }))).toEqual([200, 404, 404, 404]);
    // What one is on other types is in the way of none of the system.
    const both = await defined({ resource: ['Basic'] });
    await defined({ code: both, system: true, type: false });
    expect(await at(both)).toEqual([200, 200, 200, 404]);
    const code = await defined({ resource: ['Patient'] });
    expect((await as('POST', `Patient/$${code.toUpperCase()}`, { body: {} })).status).toBe(404);
  });

  test('tells the bot which it was and on what; nobody else says so', async () => {
    const id = await makePatient();
    const code = await defined({ instance: true });
    const forged = { 'x-gatehouse-operation': 'x', 'x-gatehouse-operation-on': 'Patient/other' };
    const called = await as('POST', `Patient/${id}/$${code}`, { body: {}, headers: forged });
    const [definition] = (await as('GET', `OperationDefinition?code=${code}`)).body.entry;
    expect(called.body.headers).toMatchObject({
      'x-gatehouse-operation': `OperationDefinition/${definition.resource.id}`,
      'x-gatehouse-operation-on': `Patient/${id}`,
    });
    const plain = await as('POST', `Bot/${echo}/$execute`, { body: {}, headers: forged });
    expect(Object.keys(plain.body.headers).filter((name) => name.startsWith('x-gatehouse-operation'))).toEqual([]);
    const atType = await as('POST', `Patient/$${code}`, { body: {}, headers: forged });
    expect(atType.body.headers['x-gatehouse-operation-on']).toBeUndefined();
  });

  test('is done for who can run the bot, on what they can read', async () => {
    const [id, mine] = [await makePatient(), await makePatient()];
    const code = await defined({ instance: true });
    const limited = async (resource: object[]) => {
      const policy = await as('POST', 'AccessPolicy', { body: { resourceType: 'AccessPolicy', name: 'x', resource } });
      const accessPolicy = { reference: `AccessPolicy/${policy.body.id}` };
      const client = await world.call('POST', '/client', { body: { name: 'x', accessPolicy } });
      return `Basic ${Buffer.from(`${client.body.id}:${client.body.secret}`).toString('base64')}`;
    };
    const some = await limited([{ resourceType: 'Bot' }, { resourceType: 'Patient', criteria: `Patient?_id=${mine}` }]);
    const paths = [`Patient/$${code}`, `Patient/${mine}/$${code}`, `Patient/${id}/$${code}`];
    const statuses = (bearer: string) =>
      Promise.all(paths.map(async (path) => (await as('POST', path, { body: {} }, bearer)).status));
    expect(await statuses(some)).toEqual([200, 200, 404]);
    expect(await statuses(await limited([{ resourceType: 'Patient' }]))).toEqual([404, 404, 404]);
    // Another project has neither the operation nor the bot.
    expect(await statuses(other.owner.bearer)).toEqual([404, 404, 404]);
    const theirs = await defined({}, echo, other);
    expect((await as('POST', `Patient/$${theirs}`, { body: {} }, other.owner.bearer)).status).toBe(404);
    expect((await callApi(undefined, 'POST', `/fhir/R4/Patient/$${code}`, { body: {} })).status).toBe(401);
  });

  test.each<[string, object]>([
    ['not active', { status: 'retired' }],
    ['a query', { kind: 'query' }],
    ['without a bot', { extension: undefined }],
    ['of what is no bot', { extension: [{ url: IMPLEMENTATION, valueReference: { reference: 'Patient/x' } }] }],
    [
      'of a bot that is gone',
      { extension: [{ url: IMPLEMENTATION, valueReference: { reference: `Bot/${crypto.randomUUID()}` } }] },
    ],
  ])('%s is none', async (_, fields) => {
    const answer = await as('POST', `Patient/$${await defined(fields)}`, { body: {} });
    expect([answer.status, answer.body.resourceType]).toEqual([404, 'OperationOutcome']);
  });

  test('ours win; of two alike neither is done', async () => {
    await defined({ code: 'validate' });
    const validated = await as('POST', 'Patient/$validate', { body: { resourceType: 'Patient' } });
    expect(validated.body.resourceType).toBe('OperationOutcome');
    const code = await defined({ resource: ['Patient'] });
    await defined({ code, resource: ['Basic'] });
    expect((await as('POST', `Patient/$${code}`, { body: {} })).status).toBe(200);
    await defined({ code, resource: ['Patient'] });
    const twice = await as('POST', `Patient/$${code}`, { body: {} });
    expect([twice.status, twice.body.issue[0].code]).toEqual([412, 'multiple-matches']);
  });

  test('is defined by who may change the bot', async () => {
    const project = await makeFhirProject();
    const id = (await callFhir(project.admin, 'POST', 'Bot', { body: { resourceType: 'Bot', name: 'x' } })).body.id;
    const body = {
      resourceType: 'OperationDefinition',
      ...{ name: 'x', status: 'active', kind: 'operation', code: 'x', system: true, type: true, instance: true },
    };
    const extension = [{ url: IMPLEMENTATION, valueReference: { reference: `Bot/${id}` } }];
    const named = { ...body, extension };
    const member = await project.member();
    const refused = await callFhir(member, 'POST', 'OperationDefinition', { body: named });
    expectIssue(refused, 403, 'forbidden', 'OperationDefinition.extension');
    const entry = [{ request: { method: 'POST', url: 'OperationDefinition' }, resource: named }];
    const bundle = { resourceType: 'Bundle', type: 'transaction', entry };
    expect((await callFhir(member, 'POST', '', { body: bundle })).status).toBe(403);
    const plain = await callFhir(member, 'POST', 'OperationDefinition', { body });
    expect(plain.status).toBe(201);
    const path = `OperationDefinition/${plain.body.id}`;
    expect((await callFhir(member, 'PUT', path, { body: { ...named, id: plain.body.id } })).status).toBe(403);
    const patch = [{ op: 'add', path: '/extension', value: extension }];
    const headers = { 'content-type': 'application/json-patch+json' };
    expect((await callFhir(member, 'PATCH', path, { body: patch, headers })).status).toBe(403);
    expect((await callFhir(project.admin, 'POST', 'OperationDefinition', { body: named })).status).toBe(201);
  });

  test('runs nothing for a HEAD', async () => {
    const answer = await as('HEAD', `Patient/$${await defined()}`);
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, POST, OPTIONS']);
  });

  test('one that changes something is no GET', async () => {
    const code = await defined({ affectsState: true });
    const got = await as('GET', `Patient/$${code}`);
    expect([got.status, got.headers.get('allow')]).toEqual([405, 'POST, OPTIONS']);
    expect((await as('POST', `Patient/$${code}`, { body: {} })).status).toBe(200);
  });
});

describe('what it gives', () => {
  test('a resource named return is the answer', async () => {
    const answer = await giving(`{ resourceType: 'Patient', active: true }`, [{ name: 'return', type: 'Patient' }]);
    expect(answer.headers.get('content-type')).toBe('application/fhir+json; charset=utf-8');
    expect([answer.status, answer.body]).toEqual([200, { resourceType: 'Patient', active: true }]);
  });

  test('values are Parameters by their names and types; what is not defined is left out', async () => {
    const answer = await giving(
      `{ ok: true, count: 3, price: 1.5, who: { reference: 'Patient/1' }, tags: ['a', 'b'], found: { resourceType: 'Basic', code: { text: 'x' } }, match: [{ score: 2 }], more: 1 }`,
      [
        { name: 'ok', type: 'boolean', min: 1 },
        { name: 'count', type: 'integer' },
        { name: 'price', type: 'decimal' },
        { name: 'who', type: 'Reference' },
        { name: 'tags', type: 'code', max: '*' },
        { name: 'found', type: 'Basic' },
        { name: 'match', max: '*', part: [{ name: 'score', use: 'out', min: 1, max: '1', type: 'integer' }] },
        { name: 'nothing', type: 'string' },
      ],
    );
    expect([answer.status, answer.body], answer.text).toEqual([
      200,
      {
        resourceType: 'Parameters',
        parameter: [
          { name: 'ok', valueBoolean: true },
          { name: 'count', valueInteger: 3 },
          { name: 'price', valueDecimal: 1.5 },
          { name: 'who', valueReference: { reference: 'Patient/1' } },
          { name: 'tags', valueCode: 'a' },
          { name: 'tags', valueCode: 'b' },
          { name: 'found', resource: { resourceType: 'Basic', code: { text: 'x' } } },
          { name: 'match', part: [{ name: 'score', valueInteger: 2 }] },
        ],
      },
    ]);
  });

  test.each<[string, object, object]>([
    ['7', { name: 'count', type: 'integer' }, { name: 'count', valueInteger: 7 }],
    [`'x'`, { name: 'text', type: 'string' }, { name: 'text', valueString: 'x' }],
    [`{ text: 'x' }`, { name: 'text', type: 'string' }, { name: 'text', valueString: 'x' }],
    [
      `{ system: 'urn:x', code: 'y' }`,
      { name: 'is', type: 'Coding' },
      { name: 'is', valueCoding: { system: 'urn:x', code: 'y' } },
    ],
  ])('one thing may be given as itself: %s', async (value, out, parameter) => {
    const { body, headers } = await giving(value, [out]);
    expect(body).toEqual({ resourceType: 'Parameters', parameter: [parameter] });
    expect(headers.get('content-type')).toBe('application/fhir+json; charset=utf-8');
  });

  test('Parameters, an OperationOutcome and a failure are what they are', async () => {
    const out = [{ name: 'count', type: 'integer', min: 1 }];
    const parameters = `{ resourceType: 'Parameters', parameter: [{ name: 'other', valueString: 'x' }] }`;
    expect((await giving(parameters, out)).body.parameter[0].name).toBe('other');
    const outcome = `{ resourceType: 'OperationOutcome', issue: [{ severity: 'error', code: 'invalid' }] }`;
    expect((await giving(outcome, out)).status).toBe(400);
    expect((await giving('null.x', out)).status).toBe(400);
  });

  test.each<[string, object, string]>([
    ['{}', { name: 'count', type: 'integer', min: 1 }, 'count is missing'],
    ['undefined', { name: 'count', type: 'integer', min: 1 }, 'count is missing'],
    [`'x'`, { name: 'count', type: 'integer' }, 'is not what the operation gives'],
    ['[1, 2]', { name: 'count', type: 'integer' }, 'may stand only once'],
    [
      `{ resourceType: 'Patient', nickname: 'x' }`,
      { name: 'found', type: 'Patient' },
      'is not what the operation gives',
    ],
    [`'x'.repeat(2e6)`, { name: 'text', type: 'string' }, 'longer than Parameters'],
  ])('%s is refused where something else is defined', async (value, out, text) => {
    const answer = await giving(value, [out]);
    expect([answer.status, answer.body.issue[0].details.text]).toEqual([400, expect.stringContaining(text)]);
  });

  test('a definition that would make very much of little is refused, and the run is on record as failed', async () => {
    const twice = Array.from({ length: 200 }, () => ({ name: 'a', type: 'integer', max: '*' }));
    const many = `{ a: Array.from({ length: 20000 }, () => 1) }`;
    for (const out of [twice, twice.slice(0, 1)]) {
      const answer = await giving(many, out);
      expect([answer.status, answer.body.issue[0].details.text]).toEqual([
        400,
        expect.stringMatching(/two things of one name|more than 10000 parameters/),
      ]);
    }
    await flushRuns();
    const [newest] = (await world.call('GET', '/runs')).body.rows;
    expect([newest.status, newest.message]).toEqual(['failed', expect.stringContaining('more than 10000')]);
  });

  test('the same by a job and by a stream', async () => {
    const bot = await deployedBot(world, 'export async function handler() { return 7; }');
    const code = await defined({ parameter: [{ name: 'n', use: 'out', min: 1, max: '1', type: 'integer' }] }, bot);
    const stream = await as('POST', `Patient/$${code}`, { body: {}, headers: { accept: 'text/event-stream' } });
    expect(stream.text).toContain('{"resourceType":"Parameters","parameter":[{"name":"n","valueInteger":7}]}');
    const job = await as('POST', `Patient/$${code}`, { body: {}, headers: { prefer: 'respond-async' } });
    expect(job.status).toBe(202);
    const path = new URL(job.headers.get('content-location')!).pathname.replace('/fhir/R4/', '');
    await expect.poll(async () => (await as('GET', path)).body.status, { timeout: 20_000 }).toBe('completed');
    expect((await as('GET', path)).text).toContain('valueInteger');
  });
});
