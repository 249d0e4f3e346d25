import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { binaryContent } from '#lib/infra/db/schema/operations.ts';
import { callFhir, FHIR_BASE } from '#lib/testing/fhir/call-fhir.ts';
import { type Caller, type FhirProject, makeFhirProject } from '#lib/testing/fhir/fhir-project.ts';
import { db } from '#lib/testing/set-up/own-db.ts';

let project: FhirProject;
let admin: Caller;

beforeAll(async () => {
  project = await makeFhirProject();
  admin = project.admin;
});

describe('Binary', () => {
  const bytes = new Uint8Array([0, 255, 1, 2, 3]);
  const upload = (caller = admin, headers: Record<string, string> = {}) =>
    callFhir(caller, 'POST', 'Binary?_filename=x.bin', {
      body: bytes,
      headers: { 'content-type': 'image/png', ...headers },
    });

  test('raw bytes go in and come out, harmless for a browser', async () => {
    const made = await upload();
    expect([made.status, made.body.url, made.body.contentType]).toEqual([201, `Binary/${made.body.id}`, 'image/png']);
    const raw = await callFhir(admin, 'GET', `Binary/${made.body.id}`, { headers: { accept: '*/*' } });
    expect(raw.headers.get('content-type')).toBe('image/png');
    expect(raw.headers.get('content-disposition')).toBe('attachment');
    expect(raw.headers.get('content-security-policy')).toContain('sandbox');
    expect(raw.text).toBe(new TextDecoder().decode(bytes));
    const fhir = await callFhir(admin, 'GET', `Binary/${made.body.id}`, {
      headers: { accept: 'application/fhir+json, */*; q=0.1' },
    });
    expect(fhir.body).toMatchObject({ resourceType: 'Binary', data: Buffer.from(bytes).toString('base64') });
  });

  test('raw bytes with If-None-Exist are made once, also by many at a time', async () => {
    const of = await makeFhirProject();
    const all = await Promise.all(
      Array.from({ length: 10 }, () => upload(of.admin, { 'if-none-exist': '_lastUpdated=gt2000' })),
    );
    expect(all.map(({ status }) => status).sort()).toEqual([...Array(9).fill(200), 201]);
    expect(new Set(all.map(({ body }) => body.id)).size).toBe(1);
    const large = {
      body: new Uint8Array(100_000),
      headers: { 'content-type': 'image/png', 'if-none-exist': '_lastUpdated=gt2000' },
    };
    const again = await callFhir(of.admin, 'POST', 'Binary', large);
    expect([again.status, again.body.id]).toEqual([200, all[0]!.body.id]);
  });

  test.each([
    ['bytes=0-1', 206, [0, 255], 'bytes 0-1/5'],
    ['bytes=3-', 206, [2, 3], 'bytes 3-4/5'],
    ['bytes=-2', 206, [2, 3], 'bytes 3-4/5'],
    ['bytes=-99', 206, [0, 255, 1, 2, 3], 'bytes 0-4/5'],
    ['bytes=4-999999999999999', 206, [3], 'bytes 4-4/5'],
    ['bytes=5-', 416, undefined, 'bytes */5'],
    ['bytes=-0', 416, undefined, 'bytes */5'],
    ['bytes=3-1', 200, [...bytes], null],
    ['bytes=0-0,2-3', 200, [...bytes], null],
    ['bytes=-', 200, [...bytes], null],
    ['lines=0-1', 200, [...bytes], null],
    ['bytes=99999999999999999999-', 200, [...bytes], null],
  ] as [string, number, number[] | undefined, string | null][])('%s answers %i', async (range, status, part, where) => {
    const { id } = (await upload()).body;
    const answer = await callFhir(admin, 'GET', `Binary/${id}`, { headers: { range } });
    expect([answer.status, answer.headers.get('content-range')]).toEqual([status, where]);
    if (part) expect([...answer.bytes]).toEqual(part);
    if (status < 300) expect(answer.headers.get('accept-ranges')).toBe('bytes');
  });

  test('a range is of the bytes alone: not of the resource, nor under If-Range, nor of what is out of reach', async () => {
    const { id } = (await upload()).body;
    const range = 'bytes=0-1';
    const get = (headers: Record<string, string>, caller = admin) =>
      callFhir(caller, 'GET', `Binary/${id}`, { headers: { range, ...headers } });
    expect((await get({ accept: 'application/fhir+json' })).status).toBe(200);
    expect((await get({ 'if-range': 'W/"1"' })).bytes.length).toBe(5);
    expect((await get({ 'if-none-match': 'W/"1"' })).status).toBe(304);
    expect((await get({}, (await makeFhirProject()).admin)).status).toBe(404);
  });

  test('a Binary as FHIR JSON is the same thing; JSON of any other kind is a file', async () => {
    const body = { resourceType: 'Binary', contentType: 'text/plain', data: Buffer.from('hello').toString('base64') };
    const made = await callFhir(admin, 'POST', 'Binary', { body });
    expect((await callFhir(admin, 'GET', `Binary/${made.body.id}`)).text).toBe('hello');
    const file = await callFhir(admin, 'POST', 'Binary', {
      body: '{"a":1}',
      headers: { 'content-type': 'application/json' },
    });
    const back = await callFhir(admin, 'GET', `Binary/${file.body.id}`, { headers: { accept: '*/*' } });
    expect([back.text, back.headers.get('content-type')]).toEqual(['{"a":1}', 'application/json']);
  });

  test('who may not read the security context gets 404', async () => {
    const patient = (await callFhir(admin, 'POST', 'Patient', { body: { resourceType: 'Patient' } })).body;
    const stranger = await project.member([{ resourceType: 'Binary' }]);
    const reader = await project.member([{ resourceType: 'Binary' }, { resourceType: 'Patient' }]);
    for (const context of [`Patient/${patient.id}`, `${FHIR_BASE}/Patient/${patient.id}`]) {
      const made = await upload(admin, { 'x-security-context': context });
      expect((await callFhir(stranger, 'GET', `Binary/${made.body.id}`)).status).toBe(404);
      expect((await callFhir(reader, 'GET', `Binary/${made.body.id}`)).status).toBe(200);
    }
    expect((await upload(admin, { 'x-security-context': 'nonsense' })).status).toBe(400);
  });

  test('its bytes go with it', async () => {
    const { body } = await upload();
    expect((await callFhir(admin, 'DELETE', `Binary/${body.id}`)).status).toBe(200);
    expect((await callFhir(admin, 'GET', `Binary/${body.id}`)).status).toBe(410);
    expect(await db().select().from(binaryContent).where(eq(binaryContent.id, body.id))).toEqual([]);
  });

  test('400 without a content type, 413 beyond the limit, 404 for another project', async () => {
    expect((await callFhir(admin, 'POST', 'Binary', { body: bytes })).status).toBe(400);
    const big = new Uint8Array(100 * 1024 * 1024 + 1);
    expect(
      (await callFhir(admin, 'POST', 'Binary', { body: big, headers: { 'content-type': 'image/png' } })).status,
    ).toBe(413);
    const { body } = await upload();
    expect((await callFhir((await makeFhirProject()).admin, 'GET', `Binary/${body.id}`)).status).toBe(404);
  });
});
