import { gunzipSync, gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Answer, Call } from '#lib/testing/call-api.ts';
import { callFhir, expectIssue } from '#lib/testing/fhir/call-fhir.ts';
import { type Caller, makeFhirProject } from '#lib/testing/fhir/fhir-project.ts';

let admin: Caller;
let id: string;
beforeAll(async () => {
  admin = (await makeFhirProject()).admin;
  const body = '{"resourceType":"Observation","status":"final","code":{"text":"x"},"valueQuantity":{"value":1.50}}';
  id = (await callFhir(admin, 'POST', 'Observation', { body })).body.id;
});

const get = (path: string, headers: Record<string, string> = {}): Promise<Answer> =>
  callFhir(admin, 'GET', path, { headers });

describe('_pretty', () => {
  test('lays out every FHIR answer, outcomes too, and 1.50 stays 1.50', async () => {
    const read = await get(`Observation/${id}?_pretty=true`);
    expect(read.text).toContain('\n  "valueQuantity": {\n    "value": 1.50\n  }\n}\n');
    for (const path of ['Observation', 'metadata', 'Observation/nosuch', `Observation/${id}/_history`, '_history']) {
      const plain = await get(path);
      const answer = await get(`${path}?_pretty=true`);
      expect([path, answer.status, answer.text.split('\n').length > 4]).toEqual([path, plain.status, true]);
      expect(plain.text).not.toContain('\n');
      expect((await get(`${path}?_pretty=false`)).text).not.toContain('\n');
    }
    expectIssue(await get('Observation?_pretty=perhaps'), 400, 'invalid', '_pretty');
  });

  test('and _format, in the form of a search as in the URL', async () => {
    const post = (path: string, form: Record<string, string>) =>
      callFhir(admin, 'POST', path, { body: new URLSearchParams(form) });
    for (const path of ['Observation/_search', '_search?_type=Observation']) {
      expect((await post(path, { _id: id, _pretty: 'true' })).text).toContain('\n  "type": "searchset"');
      expect((await post(path, { _id: id, _pretty: 'false' })).text).not.toContain('\n');
      expect((await post(path, { _id: id, _format: 'application/fhir+json' })).status).toBe(200);
      expectIssue(await post(path, { _pretty: 'perhaps' }), 400, 'invalid', '_pretty');
      expect((await post(path, { _format: 'xml' })).status).toBe(406);
    }
  });
});

describe('which format, version and charset', () => {
  const OK = 'application/fhir+json';
  test.each([
    [{ accept: 'application/fhir+xml' }, '', 406],
    [{ accept: 'text/turtle' }, '', 406],
    [{ accept: 'application/xml, text/turtle;q=0.5, */*;q=0.1' }, '', 200],
    [{ accept: `${OK}; fhirVersion=4.0` }, '', 200],
    [{ accept: `${OK};fhirVersion="4.0"` }, '', 200],
    [{ accept: `${OK}; fhirVersion=3.0` }, '', 406],
    [{}, '?_format=ttl', 406],
    [{}, '?_format=text/html', 406],
    [{}, '?_format=application/fhir+json;fhirVersion=4.0', 200],
    [{}, '?_format=application/fhir%2Bjson;fhirVersion=5.0', 406],
    [{}, '?_format=application/json;%20fhirVersion=5.0', 406],
    [{}, '?_format=application/fhir+json;%20fhirVersion=4.0', 200],
    [{ 'accept-charset': 'utf-8' }, '', 200],
    [{ 'accept-charset': 'iso-8859-1, *;q=0.1' }, '', 200],
    [{ 'accept-charset': 'iso-8859-1' }, '', 406],
  ] as [Record<string, string>, string, number][])('%j%s answers %i', async (headers, query, status) => {
    const answer = await get(`Observation/${id}${query}`, headers);
    expect(answer.status).toBe(status);
    expect(answer.headers.get('content-type')).toBe('application/fhir+json; charset=utf-8');
    if (status === 406) expectIssue(answer, 406, 'not-supported');
  });

  test.each([
    ['application/fhir+json; fhirVersion=4.0', 201],
    ['application/fhir+json; charset=UTF-8; fhirVersion=4.0.1', 201],
    ['application/json;charset="utf-8"', 201],
    ['application/fhir+json; fhirVersion=5.0', 415],
    ['application/fhir+json; charset=iso-8859-1', 415],
    ['application/fhir+xml', 415],
    ['text/turtle', 415],
    ['application/xml', 415],
  ])('a body that is %s answers %i', async (type, status) => {
    const body = JSON.stringify({ resourceType: 'Basic', code: { text: 'é' } });
    const answer = await callFhir(admin, 'POST', 'Basic', { body, headers: { 'content-type': type } });
    expect(answer.status, answer.text).toBe(status);
    if (status === 415) expectIssue(answer, 415, 'not-supported');
    else expect(answer.body.code.text).toBe('é');
  });
});

describe('gzip of a body', () => {
  const packed = (text: string | Buffer, headers: Record<string, string> = {}): Call => ({
    body: new Uint8Array(gzipSync(text)),
    headers: { 'content-type': 'application/fhir+json', 'content-encoding': 'gzip', ...headers },
  });
  const PATIENT = JSON.stringify({ resourceType: 'Patient', name: [{ family: 'Packed'.repeat(500) }] });

  test('is unpacked: a resource, a search, a Binary', async () => {
    const made = await callFhir(admin, 'POST', 'Patient', packed(PATIENT));
    expect([made.status, made.body.name[0].family.length]).toEqual([201, 3000]);
    const form = packed('family:exact=x', { 'content-type': 'application/x-www-form-urlencoded' });
    expect((await callFhir(admin, 'POST', 'Patient/_search', form)).status).toBe(200);
    const binary = await callFhir(admin, 'POST', 'Binary', packed('plain text', { 'content-type': 'text/plain' }));
    expect((await get(`Binary/${binary.body.id}`)).text).toBe('plain text');
  });

  test('has the limit of what it unpacks to: a bomb is 413, and what is no gzip 400', async () => {
    const bomb = gzipSync(Buffer.alloc(40 * 1024 * 1024, ' '));
    expect(bomb.length).toBeLessThan(64 * 1024);
    const headers = { 'content-type': 'application/fhir+json', 'content-encoding': 'gzip' };
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => callFhir(admin, 'POST', 'Patient', { body: new Uint8Array(bomb), headers })),
    );
    for (const answer of answers) expectIssue(answer, 413, 'too-long');
    // A gigabyte, packed twice, is 4 KB; the second packing is not ours to undo.
    const twice = { ...packed(bomb), headers: { ...headers, 'content-encoding': 'gzip, gzip' } };
    expectIssue(await callFhir(admin, 'POST', 'Patient', twice), 415, 'not-supported');
    expectIssue(await callFhir(admin, 'POST', 'Patient', { body: PATIENT, headers }), 400, 'structure');
    const cut = new Uint8Array(gzipSync(PATIENT).subarray(0, 40));
    expectIssue(await callFhir(admin, 'POST', 'Patient', { body: cut, headers }), 400, 'structure');
    const empty = Buffer.concat(Array.from({ length: 2000 }, () => gzipSync('')));
    expectIssue(await callFhir(admin, 'POST', 'Patient', { body: new Uint8Array(empty), headers }), 400, 'structure');
  });

  test('another encoding is 415 and says which there is; of who has not shown who they are, nothing is unpacked', async () => {
    for (const encoding of ['br', 'deflate', 'x-unknown']) {
      const answer = await callFhir(admin, 'POST', 'Patient', packed(PATIENT, { 'content-encoding': encoding }));
      expectIssue(answer, 415, 'not-supported');
      expect(answer.headers.get('accept-encoding')).toBe('gzip');
    }
    expect((await callFhir(undefined, 'POST', 'Patient', packed(PATIENT))).status).toBe(401);
  });
});

describe('gzip of an answer', () => {
  let large: string;
  beforeAll(async () => {
    const code = { extension: ['a', 'b'].map((url) => ({ url, valueString: `${url}${'é😀'.repeat(200_000)}` })) };
    const made = await callFhir(admin, 'POST', 'Basic', { body: { resourceType: 'Basic', code } });
    expect([made.status, made.text.length > 1024 * 1024]).toEqual([201, true]);
    large = made.body.id;
  });

  test('goes to who takes it, of what is worth it; all else is as it was', async () => {
    const plain = await get('metadata');
    expect([plain.headers.get('content-encoding'), plain.headers.get('vary')]).toEqual([null, 'Accept-Encoding']);
    for (const path of ['metadata', `Basic/${large}`, 'metadata?_pretty=true']) {
      const answer = await get(path, {
        'accept-encoding': 'br;q=1.0, gzip;q=0.8, *;q=0.1',
        origin: 'https://app.example',
      });
      expect(answer.headers.get('content-encoding')).toBe('gzip');
      expect(answer.headers.get('vary')).toBe('Origin, Accept-Encoding');
      expect(answer.headers.get('etag')).toBe((await get(path)).headers.get('etag'));
      expect(gunzipSync(answer.bytes).toString()).toBe((await get(path)).text);
    }
    for (const accepted of ['identity', 'gzip;q=0', 'br', '']) {
      expect((await get('metadata', { 'accept-encoding': accepted })).headers.get('content-encoding')).toBeNull();
    }
    const small = await get(`Observation/${id}`, { 'accept-encoding': 'gzip' });
    expect([small.headers.get('content-encoding'), small.body.id]).toEqual([null, id]);
    const head = await callFhir(admin, 'HEAD', 'metadata', { headers: { 'accept-encoding': 'gzip' } });
    expect([head.status, head.text]).toEqual([200, '']);
    const headers = { 'accept-encoding': 'gzip', 'if-none-match': plain.headers.get('etag')! };
    expect((await get('metadata', headers)).status).toBe(304);
  });
});

describe('conditional reads', () => {
  test('of a version too: 304 without a body, by ETag before time', async () => {
    const path = `Observation/${id}/_history/1`;
    const read = await get(path);
    const same = await get(path, { 'if-none-match': 'W/"1"' });
    expect([same.status, same.text, same.headers.get('etag')]).toEqual([304, '', 'W/"1"']);
    const modified = read.headers.get('last-modified')!;
    expect((await get(path, { 'if-modified-since': modified })).status).toBe(304);
    expect((await get(path, { 'if-modified-since': modified, 'if-none-match': 'W/"2"' })).status).toBe(200);
    const head = await callFhir(admin, 'HEAD', path, { headers: { 'if-none-match': 'W/"1"' } });
    expect(head.status).toBe(304);
  });
});

test.each(['', 'Observation', 'metadata', '_history', 'Observation/_history', 'Observation/1/_history/1'])(
  'OPTIONS of "%s" says what there is, and what a page may send',
  async (path) => {
    const headers = { origin: 'https://app.example', 'access-control-request-method': 'GET' };
    const answer = await callFhir(undefined, 'OPTIONS', path, { headers });
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect(answer.headers.get('allow')).toContain('OPTIONS');
    const allowed = answer.headers.get('access-control-allow-headers')!.split(', ');
    expect(allowed).toEqual(expect.arrayContaining(['Prefer', 'If-Modified-Since', 'If-None-Match', 'If-Match']));
    const exposed = answer.headers.get('access-control-expose-headers')!.split(', ');
    expect(exposed).toEqual(expect.arrayContaining(['ETag', 'Location', 'Last-Modified', 'Content-Location']));
  },
);
