import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '#lib/base/ids.ts';
import { flushRuns } from '#lib/domain/runs/record/record-run.ts';
import { stopRunner } from '#lib/domain/runs/runner.ts';
import { deployedBot } from '#lib/testing/bots.ts';
import { type Answer, type Call, callApi, expectOutcome } from '#lib/testing/call-api.ts';
import { createWorld, type World } from '#lib/testing/world.ts';

const HL7 = 'MSH|^~\\&|LAB|HOSP|EHR|HOSP|20260101||ADT^A01|1|P|2.5\rPID|1||123^^^MRN||DOE^JO\r';

let world: World;
const as = (method: string, path: string, call?: Call) => callApi(world.owner.bearer, method, `/fhir/R4/${path}`, call);

beforeAll(async () => {
  world = await createWorld();
});
afterAll(async () => {
  await flushRuns();
  await stopRunner();
});

const makeBot = (code: string, fields?: Record<string, unknown>) => deployedBot(world, code, fields);

async function run(
  code: string,
  call: Call = { body: '{}', headers: { 'content-type': 'application/json' } },
): Promise<Answer> {
  return as('POST', `Bot/${await makeBot(code)}/$execute`, call);
}

const typed = (type: string, body: string): Call => ({ body, headers: { 'content-type': type } });
const returning = (value: string) => `export async function handler() { return ${value}; }`;

describe('input', () => {
  const SHOW = `export async function handler(medplum: any, event: any) {
    const i = event.input;
    return { type: typeof i, hl7: i?.getSegment?.('PID').getField(5).getComponent(1), value: i?.getSegment ? null : i };
  }`;
  let bot: string;
  beforeAll(async () => {
    bot = await makeBot(SHOW);
  });

  test.each([
    ['text/plain; charset=utf-8', 'héllo', { type: 'string', value: 'héllo' }],
    ['application/json', '[1,2]', { type: 'object', value: [1, 2] }],
    ['application/json', '7', { type: 'number', value: 7 }],
    [
      'application/fhir+json',
      '{"resourceType":"Patient","name":[]}',
      { type: 'object', value: { resourceType: 'Patient', name: [] } },
    ],
    ['application/x-www-form-urlencoded', 'a=1&b=x%20y', { type: 'object', value: { a: '1', b: 'x y' } }],
    ['x-application/hl7-v2+er7; charset=utf-8', HL7, { type: 'object', hl7: 'DOE', value: null }],
  ])('%s', async (type, body, expected) => {
    const answer = await as('POST', `Bot/${bot}/$execute`, typed(type, body));
    expect([answer.status, JSON.parse(answer.text)]).toEqual([200, expected]);
  });

  test('no body is undefined', async () => {
    const answer = await as('POST', `Bot/${bot}/$execute`);
    expect(answer.body).toEqual({ type: 'undefined' });
  });

  test('GET gives the query, the last of a repeated name, and ignores a Content-Type', async () => {
    const answer = await as('GET', `Bot/${bot}/$execute?a=1&a=2&identifier=kept`, {
      headers: { 'content-type': 'text/plain' },
    });
    expect(answer.body.value).toEqual({ a: '2', identifier: 'kept' });
  });

  test.each([
    ['application/json', '{"a":', 400],
    ['application/xml', '<a/>', 415],
    ['', 'some bytes', 415],
  ])('%s %s is %i, and nothing is lost silently', async (type, body, status) => {
    const answer = await as('POST', `Bot/${bot}/$execute`, typed(type, body));
    expect([answer.status, answer.body.resourceType]).toEqual([status, 'OperationOutcome']);
  });

  test('rawBody gives the original text', async () => {
    const raw = await makeBot(SHOW, { rawBody: true });
    const answer = await as('POST', `Bot/${raw}/$execute`, typed('application/json', '{"a": 1.50}'));
    expect(answer.body).toEqual({ type: 'string', value: '{"a": 1.50}' });
  });

  test('credentials do not reach the bot', async () => {
    const answer = await run(`export async function handler(m: any, e: any) { return e.headers; }`);
    expect(Object.keys(answer.body)).not.toContain('authorization');
  });
});

describe('by identifier', () => {
  test('reaches the bot by system|value, encoded or raw, and drops identifier from a GET', async () => {
    const value = newId();
    await makeBot(`export async function handler(m: any, e: any) { return e.input; }`, {
      identifier: [{ system: 'urn:bots', value }],
    });
    for (const query of [`urn:bots|${value}`, `urn%3Abots%7C${value}`, value]) {
      const answer = await as('GET', `Bot/$execute?identifier=${query}&a=1`);
      expect([answer.status, answer.body]).toEqual([200, { a: '1' }]);
    }
    const encoded = await as('POST', `Bot/%24execute?identifier=${value}`, typed('text/plain', 'hi'));
    expect(encoded.text).toBe('hi');
  });

  test.each([
    ['Bot/$execute', 400],
    ['Bot/$execute?identifier=', 400],
    ['Bot/$execute?identifier=urn:bots|', 400],
    ['Bot/$execute?identifier=a&identifier=b', 400],
    ['Bot/$execute?identifier=nobody', 404],
  ])('%s is %i', async (path, status) => {
    expect((await as('GET', path)).status).toBe(status);
  });

  test('several with the identifier are 412', async () => {
    const value = newId();
    await makeBot(returning('1'), { identifier: [{ value }] });
    await makeBot(returning('2'), { identifier: [{ value }] });
    const answer = await as('GET', `Bot/$execute?identifier=${value}`);
    expect([answer.status, answer.body.issue[0].code]).toEqual([412, 'multiple-matches']);
  });
});

test.each(['HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])(
  '%s is told what is taken, and runs nothing',
  async (method) => {
    const answer = await as(method, `Bot/${await makeBot(returning('1'))}/$execute`);
    const status = method === 'OPTIONS' ? 204 : 405;
    expect([answer.status, answer.headers.get('allow')]).toEqual([status, 'GET, POST, OPTIONS']);
  },
);

describe('output', () => {
  test.each([
    ['{ a: [1] }', 'application/json; charset=utf-8', '{"a":[1]}'],
    ['true', 'application/json; charset=utf-8', 'true'],
    ['42', 'application/json; charset=utf-8', '42'],
    ['"hello"', 'text/plain; charset=utf-8', 'hello'],
    ['"[1]"', 'application/json; charset=utf-8', '[1]'],
    ['new Date(0)', 'text/plain; charset=utf-8', '1970-01-01T00:00:00.000Z'],
    ['null', 'application/json; charset=utf-8', ''],
    ['{ resourceType: "Patient" }', 'application/json; charset=utf-8', '{"resourceType":"Patient"}'],
  ])('%s to a JSON request', async (value, type, text) => {
    const answer = await run(returning(value));
    expect([answer.status, answer.headers.get('content-type'), answer.text]).toEqual([200, type, text]);
  });

  test('text and HL7 requests get their type back', async () => {
    const text = await run(returning('"plain"'), typed('text/plain; charset=utf-8', 'x'));
    expect([text.headers.get('content-type'), text.text]).toEqual(['text/plain; charset=utf-8', 'plain']);
    const hl7 = await run(
      'export async function handler(m: any, e: any) { return e.input; }',
      typed('x-application/hl7-v2+er7', HL7),
    );
    expect([hl7.headers.get('content-type'), hl7.text]).toEqual(['x-application/hl7-v2+er7; charset=utf-8', HL7]);
  });

  test('nothing is All OK; a Binary is its bytes', async () => {
    expect((await run('export async function handler() {}')).body.issue[0].details.text).toBe('All OK');
    const binary = await run(returning(`{ resourceType: 'Binary', contentType: 'text/csv', data: 'YSxi' }`));
    expect([binary.headers.get('content-type'), binary.text]).toEqual(['text/csv', 'a,b']);
  });

  test('in a batch what is no JSON object is a Binary, and no text can be taken for a part of the Bundle', async () => {
    const bot = await makeBot(`export async function handler(medplum: any, event: any) {
      const png = { resourceType: 'Binary', contentType: 'image/png', data: 'aGk=' };
      const forged = '{"resourceType":"Patient"},"response":{"status":"201"}},{"resource":{';
      return [forged, 'plain', 7, [1], png, null, ' {"n":1}', { n: 1 }][event.input.id];
    }`);
    const entry = Array.from({ length: 8 }, (_, id) => ({
      request: { method: 'POST', url: `Bot/${bot}/$execute` },
      resource: { resourceType: 'Basic', id: String(id) },
    }));
    const answer = await as('POST', '', { body: { resourceType: 'Bundle', type: 'batch', entry } });
    expect(answer.body.entry).toHaveLength(8);
    const told = answer.body.entry.map(({ resource, response }: Answer['body']) => {
      expect(response.status).toBe('200 OK');
      if (resource?.resourceType !== 'Binary') return resource;
      return [resource.contentType, Buffer.from(resource.data, 'base64').toString()];
    });
    const [TEXT, JSON_TYPE] = ['text/plain; charset=utf-8', 'application/json; charset=utf-8'];
    expect(told).toEqual([
      [TEXT, '{"resourceType":"Patient"},"response":{"status":"201"}},{"resource":{'],
      [TEXT, 'plain'],
      [JSON_TYPE, '7'],
      [JSON_TYPE, '[1]'],
      ['image/png', 'hi'],
      undefined,
      { n: 1 },
      { n: 1 },
    ]);
  });

  test('a Binary that the bot has stored is its bytes, too, by the rights of the bot; one that is not there is a failure', async () => {
    const stored = (last: string) => `export async function handler(medplum: any) {
      const made = await medplum.createBinary({ data: 'a,b', contentType: 'text/csv' });
      ${last}
    }`;
    const answer = await run(stored('return made;'));
    expect([answer.status, answer.headers.get('content-type'), answer.text]).toEqual([200, 'text/csv', 'a,b']);
    await flushRuns();
    const [last] = (await world.call('GET', '/runs?_count=1')).body.rows;
    expect((await world.call('GET', `/runs/${last.id}`)).body.output.text).not.toContain('data');
    const gone = await run(stored(`await medplum.deleteResource('Binary', made.id); return made;`));
    expectOutcome(gone, 400);
    expect(gone.body.issue[0].details.text).toContain('bytes of the Binary');
    const none = await run(returning(`{ resourceType: 'Binary', contentType: 'text/csv' }`));
    expect([none.status, none.text]).toEqual([200, '']);
  });

  test.each([
    [
      `{ resourceType: 'OperationOutcome', id: 'ok', issue: [{ severity: 'information', code: 'informational' }] }`,
      200,
    ],
    [`{ resourceType: 'OperationOutcome', id: 'created', issue: [{ severity: 'information', code: 'success' }] }`, 200],
    [
      `{ resourceType: 'OperationOutcome', id: 'accepted', issue: [{ severity: 'information', code: 'success' }] }`,
      200,
    ],
    [`{ resourceType: 'OperationOutcome', id: 'not-found', issue: [{ severity: 'error', code: 'not-found' }] }`, 404],
    [`{ resourceType: 'OperationOutcome', issue: [{ severity: 'error', code: 'invalid' }] }`, 400],
    [`{ resourceType: 'OperationOutcome', issue: [{ severity: 'error', code: 'exception' }] }`, 400],
  ])('an outcome sets the status: %s', async (value, status) => {
    const answer = await run(returning(value));
    expect([answer.status, answer.body.resourceType]).toEqual([status, 'OperationOutcome']);
  });
});

describe('failure', () => {
  test.each([
    ['throw', `export async function handler() { throw new Error('no such thing'); }`, 'no such thing'],
    ['throw a string', `export async function handler() { throw 'plain words'; }`, 'plain words'],
    [
      'throw a warning',
      `export async function handler() { throw { resourceType: 'OperationOutcome', issue: [{ severity: 'warning', details: { text: 'careful' } }] }; }`,
      'careful',
    ],
    [
      'throw what was made',
      `export async function handler() { throw { resourceType: 'OperationOutcome', id: 'created', issue: [{ severity: 'information', details: { text: 'made' } }] }; }`,
      'made',
    ],
    ['circular', `export async function handler() { const a: any = {}; a.a = a; return a; }`, ''],
    ['function', `export async function handler() { return () => 1; }`, ''],
    ['NaN', `export async function handler() { return NaN; }`, 'NaN, which has no JSON form'],
    ['NaN within', `export async function handler() { return { bmi: 0 / 0 }; }`, 'NaN has no JSON form (bmi)'],
    [
      '5,000 nested arrays',
      `export async function handler() { let a: any = []; for (let i = 0; i < 5000; i += 1) a = [a]; return a; }`,
      'nested more than 100 levels deep',
    ],
    [
      'an outcome of 5,000 nested arrays, thrown',
      `export async function handler() { let a: any = []; for (let i = 0; i < 5000; i += 1) a = [a]; throw { resourceType: 'OperationOutcome', issue: [a] }; }`,
      '',
    ],
    [
      'an outcome without issues, thrown',
      `export async function handler() { throw { resourceType: 'OperationOutcome', id: 'not-found', issue: [null, 5] }; }`,
      '',
    ],
    [
      'an outcome without issues',
      `export async function handler() { return { resourceType: 'OperationOutcome', id: 'not-found', issue: [null, 5] }; }`,
      'not valid',
    ],
  ])('%s is 400, never 5xx', async (_, code, text) => {
    const answer = await run(code);
    expect([answer.status, answer.body.resourceType]).toEqual([400, 'OperationOutcome']);
    expect(answer.body.issue).toEqual([expect.objectContaining({ severity: expect.any(String) })]);
    expect(answer.body.issue[0].details.text).toContain(text);
  });

  test('a failed call of the bot carries its outcome and status', async () => {
    const answer = await run(
      `export async function handler(medplum: any) { return medplum.readResource('Patient', '${newId()}'); }`,
    );
    expect([answer.status, answer.body.issue[0].code]).toEqual([404, 'not-found']);
  });

  test.each([
    ['a busy loop', 'export async function handler() { for (;;); }'],
    ['a promise that never settles', 'export async function handler() { return new Promise(() => undefined); }'],
  ])('%s ends at the timeout, as 400 timeout', async (_, code) => {
    const bot = await makeBot(code, { timeout: 1 });
    const answer = await as('POST', `Bot/${bot}/$execute`, typed('application/json', '{}'));
    expect([answer.status, answer.body.issue[0].code]).toEqual([400, 'timeout']);
  });

  test.each(['__proto__', 'constructor', 'too-many-requests', 'unauthorized', 'nonsense'])(
    'an outcome with the id %s is the bot’s failure, not the service’s',
    async (id) => {
      const outcome = { resourceType: 'OperationOutcome', id, issue: [{ severity: 'error', code: 'invalid' }] };
      const answer = await run(`export async function handler() { return JSON.parse('${JSON.stringify(outcome)}'); }`);
      expect([answer.status, answer.body.resourceType]).toEqual([400, 'OperationOutcome']);
    },
  );

  test('memory is limited, and the server lives on', async () => {
    const answer = await run(
      'export async function handler() { const a: any[] = []; for (;;) a.push(new Array(1e6).fill(a.length)); }',
    );
    expect(answer.status).toBe(400);
    expect((await run(returning('1'))).text).toBe('1');
  });

  test.each(['my bot.js', 'dist/größe.js', 'a.tsx'])('a file may be called %s', async (filename) => {
    const bot = await makeBot('export const handler = () => 1;');
    const code = 'exports.handler = () => 2;';
    const answer = await as('POST', `Bot/${bot}/$deploy`, { body: { code, filename } });
    expect(answer.status, answer.text).toBe(200);
    expect((await as('POST', `Bot/${bot}/$execute`, typed('application/json', '{}'))).text).toBe('2');
  });

  test('compile errors come back with line and column; nothing is deployed', async () => {
    const made = await world.call('POST', '/bot', { body: { name: 'Broken' } });
    const deployed = await as('POST', `Bot/${made.body.id}/$deploy`, {
      body: { code: 'let a = 1;\nlet b = (;\n', filename: 'index.ts' },
    });
    expect([deployed.status, deployed.body.issue[0].details.text]).toEqual([
      400,
      expect.stringMatching(/^index\.ts:2:\d+: /),
    ]);
    const answer = await as('POST', `Bot/${made.body.id}/$execute`, typed('application/json', '{}'));
    expect([answer.status, answer.body.issue[0].details.text]).toEqual([
      400,
      expect.stringContaining('No executable code'),
    ]);
  });
});

describe('who may', () => {
  test('nobody: 401; another project: the same 404 as a missing bot; no rule: 403', async () => {
    const bot = await makeBot(returning('1'));
    const other = await createWorld();
    const path = `/fhir/R4/Bot/${bot}/$execute`;
    expect((await callApi(undefined, 'POST', path)).status).toBe(401);
    expect((await callApi(other.owner.bearer, 'POST', path)).status).toBe(404);
    expect((await as('POST', `Bot/${newId()}/$execute`)).status).toBe(404);
  });

  test('the bot acts under its own membership, and its policy binds it', async () => {
    const policy = await as('POST', 'AccessPolicy', {
      body: { resourceType: 'AccessPolicy', resource: [{ resourceType: 'Patient', readonly: true }] },
    });
    const accessPolicy = { reference: `AccessPolicy/${policy.body.id}` };
    const code = `export async function handler(medplum: any) { return medplum.createResource({ resourceType: 'Patient' }); }`;
    const bound = await makeBot(code, { accessPolicy });
    expect((await as('POST', `Bot/${bound}/$execute`, typed('application/json', '{}'))).status).toBe(403);
    const free = await run(code);
    expect(free.body.meta.author.reference).toMatch(/^Bot\//);
  });

  test('a bot that was locked out runs for nobody, also as whoever calls it, until it is let in again', async () => {
    const bot = await makeBot(returning('1'), {});
    const body = [{ op: 'add', path: '/runAsUser', value: true }];
    await as('PATCH', `Bot/${bot}`, { body, headers: { 'content-type': 'application/json-patch+json' } });
    const execute = async () => (await as('POST', `Bot/${bot}/$execute`, typed('application/json', '{}'))).status;
    expect(await execute()).toBe(200);
    const [found] = (await as('GET', `ProjectMembership?profile=Bot/${bot}`)).body.entry;
    await world.call('POST', `/members/${found.resource.id}/lock`);
    expect(await execute()).toBe(400);
    // Who deploys it then is told.
    const deploy = async () => {
      const { status, body } = await as('POST', `Bot/${bot}/$deploy`, { body: { code: returning('1') } });
      return [status, ...body.issue.map(({ severity, code }: Record<string, string>) => `${severity} ${code}`)];
    };
    expect(await deploy()).toEqual([200, 'information informational', 'warning business-rule']);
    await world.call('POST', `/members/${found.resource.id}/release`);
    expect(await execute()).toBe(200);
    expect(await deploy()).toEqual([200, 'information informational']);
  });

  test.each([
    ['text/csv; charset="utf-8"', 'text/csv; charset="utf-8"'],
    ['multipart/related; boundary="a b"', 'multipart/related; boundary="a b"'],
    ['text/plain; \n', 'application/octet-stream'],
    ['text/plain;\r\nset-cookie=a', 'application/octet-stream'],
    ['text/plain; a=\u2028', 'application/octet-stream'],
    ['text/plain; a=\u00e9', 'application/octet-stream'],
  ])('the type %j of a Binary is a header as %j', async (contentType, expected) => {
    const binary = await run(returning(JSON.stringify({ resourceType: 'Binary', contentType, data: 'YSxi' })));
    expect([binary.status, binary.headers.get('content-type'), binary.text]).toEqual([200, expected, 'a,b']);
  });

  test('an Idempotency-Key is of one type of input and one kind of answer', async () => {
    const bot = await makeBot(`export async function handler(medplum: any, event: any) { return typeof event.input; }`);
    const headers = { 'idempotency-key': newId(), 'content-type': 'application/json' };
    const ask = (more: Record<string, string>) =>
      as('POST', `Bot/${bot}/$execute`, { body: '5', headers: { ...headers, ...more } });
    expect([(await ask({})).text, (await ask({})).text]).toEqual(['number', 'number']);
    expect((await ask({ 'content-type': 'text/plain' })).status).toBe(422);
    expect((await ask({ prefer: 'respond-async' })).status).toBe(422);
    expect((await ask({ accept: 'text/event-stream' })).text).toContain('dempotency-Key');
  });

  test('with an Idempotency-Key a bot runs once', async () => {
    const bot = await makeBot(
      `export async function handler(medplum: any) { return (await medplum.createResource({ resourceType: 'Basic', code: { text: 'x' } })).id; }`,
    );
    const headers = { 'idempotency-key': newId(), 'content-type': 'application/json' };
    const [first, second] = [
      await as('POST', `Bot/${bot}/$execute`, { body: '{}', headers }),
      await as('POST', `Bot/${bot}/$execute`, { body: '{}', headers }),
    ];
    expect([first.status, second.text]).toEqual([200, first.text]);
  });
});

test('what has not begun when its run is over is never done: it may be tried again meanwhile', async () => {
  const failed = await run(`export async function handler(medplum: any) {
    for (let i = 0; i < 100; i += 1) medplum.createResource({ resourceType: 'Basic', code: { text: 'late' } });
    throw new Error('no more');
  }`);
  expect(failed.status).toBe(400);
  // Where all is slow, some have been done before it was over.
  const before = await as('GET', 'Basic?_summary=count');
  // They go in order: who comes last finds the others done.
  const after = `export async function handler(medplum: any) {
    for (let i = 0; i < 3; i += 1) await Promise.all(Array.from({ length: 20 }, () => medplum.searchResources('Basic')));
    return 1;
  }`;
  expect((await run(after)).status).toBe(200);
  const { total } = (await as('GET', 'Basic?_summary=count')).body;
  expect(total - before.body.total).toBeLessThanOrEqual(16);
});

test.each([
  ['by the bridge', ''],
  [
    "by the peer's own client",
    'import { getReferenceString } from "@medplum/core"; export const used = getReferenceString;',
  ],
])('what is deleted is answered with All OK, %s', async (_, imports) => {
  const code = `${imports}
    export async function handler(medplum: any) {
      const { id } = await medplum.createResource({ resourceType: 'Basic', code: { text: 'x' } });
      return (await medplum.deleteResource('Basic', id)).issue[0].details.text;
    }`;
  const answer = await run(code);
  expect([answer.status, answer.text]).toEqual([200, 'All OK']);
});
