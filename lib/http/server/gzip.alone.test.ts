import { request } from 'node:http';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Caller, makeFhirProject } from '#lib/testing/fhir/fhir-project.ts';
import { type PeerApi, startApi } from '#lib/testing/peer/start-api.ts';

/** Over the network, where bodies are streams: what the tests of the routes cannot see. */
let api: PeerApi;
let admin: Caller;
beforeAll(async () => {
  api = await startApi();
  ({ admin } = await makeFhirProject());
}, 60_000);
afterAll(() => api?.stop());

type Got = { status: number; headers: NodeJS.Dict<string | string[]>; bytes: Buffer };

/** Node's own, which neither asks for gzip by itself nor unpacks it. */
function ask(method: string, path: string, headers: Record<string, string> = {}, body?: Buffer): Promise<Got> {
  return new Promise((resolve, reject) => {
    const all = { authorization: admin.authorization, ...headers };
    const sent = request(`${api.baseUrl}/fhir/R4/${path}`, { method, headers: all }, async (response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk);
      resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes: Buffer.concat(chunks) });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

const GZIP = { 'content-type': 'application/fhir+json', 'content-encoding': 'gzip' };

test('a large resource comes and goes as gzip, and as it is to who takes none', async () => {
  const extension = ['a', 'b', 'c'].map((url) => ({ url, valueString: `é😀${crypto.randomUUID()}`.repeat(20_000) }));
  const text = JSON.stringify({ resourceType: 'Basic', code: { extension } });
  const made = await ask('POST', 'Basic', GZIP, gzipSync(text));
  expect(made.status, made.bytes.toString().slice(0, 300)).toBe(201);
  const { id } = JSON.parse(made.bytes.toString());
  const plain = await ask('GET', `Basic/${id}`);
  expect([plain.headers['content-encoding'], Number(plain.headers['content-length'])]).toEqual([
    undefined,
    plain.bytes.length,
  ]);
  expect(plain.bytes.length).toBeGreaterThan(2 * 1024 * 1024);
  const packed = await ask('GET', `Basic/${id}`, { 'accept-encoding': 'gzip' });
  expect(packed.headers['content-encoding']).toBe('gzip');
  expect(packed.bytes.length).toBeLessThan(plain.bytes.length / 10);
  expect(gunzipSync(packed.bytes).equals(plain.bytes)).toBe(true);
  const head = await ask('HEAD', `Basic/${id}`, { 'accept-encoding': 'gzip' });
  expect([head.status, head.bytes.length]).toEqual([200, 0]);
});

test('twenty bombs at once are 413 each, and the server answers on', async () => {
  const bomb = gzipSync(Buffer.alloc(200 * 1024 * 1024, ' '));
  const answers = await Promise.all(Array.from({ length: 20 }, () => ask('POST', 'Patient', GZIP, bomb)));
  expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(413));
  expect((await ask('GET', 'metadata')).status).toBe(200);
});

test('who goes away in the middle of a packed answer holds nothing up', async () => {
  await Promise.all(
    Array.from({ length: 10 }, async () => {
      const going = new AbortController();
      const headers = { authorization: admin.authorization, 'accept-encoding': 'gzip' };
      const response = await fetch(`${api.baseUrl}/fhir/R4/Basic?_count=10`, { headers, signal: going.signal });
      await response.body?.getReader().read();
      going.abort();
    }),
  );
  expect((await ask('GET', 'Basic?_count=1', { 'accept-encoding': 'gzip' })).status).toBe(200);
});
