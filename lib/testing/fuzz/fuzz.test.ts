import { Agent, createServer, request as openRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeFastLane } from '#lib/http/server/fast-lane.ts';
import { drawsItsQuestions } from '#lib/testing/set-up/noted-statements.ts';
import { callFhir } from '../fhir/call-fhir.ts';
import type { Caller } from '../fhir/fhir-project.ts';
import { makeWordedProject } from '../fhir/text-search.ts';
import { type FuzzRequest, makeRequest } from './make-request.ts';

drawsItsQuestions();

/** FUZZ_RUNS=… asks more; FUZZ_SEED=… asks again what a failure has named. */
const { FUZZ_RUNS, FUZZ_SEED } = process.env;
const RUNS = Number(FUZZ_RUNS ?? 1000);
/** On a machine that does `aPiece` in `PIECE_MS`; another one has as much more as it is slower just then. */
const SLOW_MS = 1000;
const PIECE_MS = 20;
const MIB = 1024 * 1024;
/** What may be kept of a thousand requests, whatever they were: plans, caches that are bounded. */
const MOST_KEPT = 48 * MIB;
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

let server: Server;
let admin: Caller;
let ids: string[];
const agent = new Agent({ keepAlive: true });

beforeAll(async () => {
  const listener = await makeFastLane(join(import.meta.dirname, '../../../app'), (_, outgoing) => outgoing.end('page'));
  server = createServer(listener).listen(0);
  admin = (await makeWordedProject()).admin;
  const create = async (type: string, fields: object) => {
    const { body } = await callFhir(admin, 'POST', type, { body: { resourceType: type, ...fields } });
    return `${type}/${body.id}`;
  };
  const patient = await create('Patient', {
    name: [{ family: 'Fuzz' }],
    identifier: [{ system: 'urn:a', value: 'b' }],
  });
  const code = { coding: [{ system: 'http://loinc.org', code: '1-8' }] };
  const status = { status: 'active' };
  ids = [
    patient,
    await create('Observation', { status: 'final', code, subject: { reference: patient } }),
    await create('CodeSystem', { url: 'http://x/cs', content: 'complete', ...status, concept: [{ code: 'a' }] }),
    await create('ValueSet', { url: 'http://x/vs', ...status, compose: { include: [{ system: 'http://x/cs' }] } }),
    await create('ConceptMap', { url: 'http://x/cm', ...status }),
    await create('Binary', { contentType: 'text/plain', data: 'eA==' }),
    'Patient/nobody',
    'Bot/nobody',
  ];
});
afterAll(() => {
  agent.destroy();
  server.close();
});

type Answered = { status: number; text: string; ms: number };

function send({ method, target, headers, body = '' }: FuzzRequest): Promise<Answered> {
  const started = performance.now();
  return new Promise((resolve, reject) => {
    const outgoing = openRequest(
      {
        port: (server.address() as AddressInfo).port,
        agent,
        method,
        path: target,
        headers: { ...headers, authorization: admin.authorization, 'content-length': Buffer.byteLength(body) },
      },
      async (incoming) => {
        const chunks: Buffer[] = [];
        for await (const chunk of incoming) chunks.push(chunk);
        const isPlain = !incoming.headers['content-encoding'];
        const text = isPlain ? Buffer.concat(chunks).toString() : '';
        resolve({ status: incoming.statusCode ?? 0, text, ms: performance.now() - started });
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

/** Whatever it is, nobody's fault but the sender's; and what is refused says why. */
async function expectSound(request: FuzzRequest): Promise<Answered> {
  const answer = await send(request);
  const { status, text } = answer;
  expect(status, text.slice(0, 500)).toBeLessThan(500);
  if (status >= 400 && text !== '') {
    const outcome = JSON.parse(text);
    expect([outcome.resourceType, outcome.issue?.length > 0], text.slice(0, 500)).toEqual(['OperationOutcome', true]);
  }
  return answer;
}

/** Work of one kind, to know how fast the machine is. */
function aPiece(): number {
  const text = JSON.stringify(Array.from({ length: 20_000 }, (_, at) => ({ at, text: `text ${at}` })));
  const begun = performance.now();
  JSON.parse(text);
  return performance.now() - begun;
}

/** What took long may have met a pause of the machine: nobody has to wait for it each time. */
async function expectQuick(request: FuzzRequest, ms: number): Promise<void> {
  const took = [ms];
  for (let again = 0; again < 4 && Math.min(...took) > limitMs(); again += 1) took.push((await send(request)).ms);
  expect(Math.min(...took), `ms of ${request.method} ${request.target.slice(0, 300)}`).toBeLessThan(limitMs());
}

function limitMs(): number {
  return SLOW_MS * Math.max(1, aPiece() / PIECE_MS);
}

function heapUsed(): number {
  collect();
  return process.memoryUsage().heapUsed;
}

test('whatever is sent to FHIR is answered in a second, or refused with an outcome, and nothing of it is kept', async () => {
  const met: Record<number, number> = {};
  const ask = async (request: FuzzRequest) => {
    const { ms, status } = await expectSound(request);
    met[status] = (met[status] ?? 0) + 1;
    if (ms > SLOW_MS) await expectQuick(request, ms);
  };
  const seed = FUZZ_SEED && { seed: Number(FUZZ_SEED) };
  // What is loaded when it is first asked for is there then.
  await fc.assert(fc.asyncProperty(makeRequest(ids), ask), { numRuns: Math.ceil(RUNS / 4), ...seed });
  const before = heapUsed();
  await fc.assert(fc.asyncProperty(makeRequest(ids), ask), { numRuns: RUNS, ...seed });
  expect(heapUsed() - before).toBeLessThan(MOST_KEPT);
  if (FUZZ_RUNS) process.stderr.write(`${JSON.stringify(met)}\n`);
}, 3_600_000);

const JSON_TYPE = { 'content-type': 'application/fhir+json' };
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const post = (target: string, body: string | Buffer, headers: Record<string, string> = JSON_TYPE): FuzzRequest => {
  return { method: 'POST', target: `/fhir/R4${target}`, headers, body };
};
const get = (target: string, headers = {}): FuzzRequest => ({ method: 'GET', target: `/fhir/R4${target}`, headers });
const nested = (open: string, close: string, depth: number) => open.repeat(depth) + close.repeat(depth);
const many = (count: number, make: (at: number) => string) => Array.from({ length: count }, (_, at) => make(at));

test.each<[string, number[], FuzzRequest]>([
  [
    'ten thousand parameters in a form',
    [400, 413],
    post('/Patient/_search', many(10_000, (at) => `name=a${at}`).join('&'), FORM),
  ],
  ['a thousand parameters in a line', [400], get(`/Patient?${many(1000, (at) => `name=a${at}`).join('&')}`)],
  ['ten thousand values of one', [400, 413], post('/Patient/_search', `name=${many(10_000, String).join(',')}`, FORM)],
  ['arrays in arrays, a hundred thousand deep', [400, 413, 422], post('/Patient', nested('[', ']', 100_000))],
  ['objects in objects', [400, 413, 422], post('/Patient', `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`)],
  [
    'extensions in extensions',
    [400, 413, 422],
    post('/Patient', `{"resourceType":"Patient"${',"extension":[{"url":"a"'.repeat(9000)}${'}]'.repeat(9000)}}`),
  ],
  ['one key twice', [400], post('/Patient', '{"resourceType":"Patient","id":"a","active":true,"active":false}')],
  ['the prototype as a key', [400], post('/Patient', '{"resourceType":"Patient","__proto__":{"active":true}}')],
  ['half of a pair of surrogates', [400], post('/Patient', '{"resourceType":"Patient","language":"\\ud800"}')],
  [
    'a number of a million digits',
    [400, 413, 422],
    post('/Observation', `{"resourceType":"Observation","valueInteger":${'9'.repeat(1_000_000)}}`),
  ],
  [
    'what unpacks to 256 MB',
    [400, 413],
    post('/Patient', gzipSync(Buffer.alloc(1024 ** 3 / 4)), { ...JSON_TYPE, 'content-encoding': 'gzip' }),
  ],
  [
    'an Accept of a thousand types',
    [200, 400, 406],
    get('/Patient', { accept: many(1000, (at) => `a/b${at}`).join(',') }),
  ],
  ['a header larger than the server reads', [431], get('/Patient', { prefer: 'x'.repeat(20_000) })],
  ['a chain of a hundred links', [400], get(`/Observation?subject${':Patient.link'.repeat(100)}.name=x`)],
  ['a pattern that takes for ever', [200, 400], get(`/Patient?name:contains=${'%25_'.repeat(300)}`)],
])('%s is answered with %j', async (_name, statuses, request) => {
  expect(statuses).toContain((await expectSound(request)).status);
});

test('a transaction whose entries refer to each other and to themselves is answered', async () => {
  const entry = ['a', 'b'].map((name) => ({
    fullUrl: `urn:uuid:${name}`,
    request: { method: 'POST', url: 'Patient', ifNoneExist: 'link=urn:uuid:a' },
    resource: {
      resourceType: 'Patient',
      link: ['a', 'b'].map((to) => ({ type: 'seealso', other: { reference: `urn:uuid:${to}` } })),
    },
  }));
  await expectSound(post('', JSON.stringify({ resourceType: 'Bundle', type: 'transaction', entry })));
});
