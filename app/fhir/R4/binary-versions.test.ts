import { eq, sql } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { sweepBytes } from '#lib/domain/bytes/sweep-bytes.ts';
import { binaryFile } from '#lib/infra/db/schema/fhir/binary-file.ts';
import { callFhir, expectIssue } from '#lib/testing/fhir/call-fhir.ts';
import { type Caller, type FhirProject, makeFhirProject } from '#lib/testing/fhir/fhir-project.ts';
import { filesOf } from '#lib/testing/fhir/files-of.ts';
import { db } from '#lib/testing/set-up/own-db.ts';

let project: FhirProject;
let admin: Caller;

beforeAll(async () => {
  project = await makeFhirProject();
  admin = project.admin;
});

const SMALL = Buffer.from('small');
const LARGE = Buffer.alloc(300_000, 'large ');
const OTHER = Buffer.alloc(200_000, 'other ');

const put = (id: string, body: Buffer, headers: Record<string, string> = {}, caller = admin) =>
  callFhir(caller, 'PUT', `Binary/${id}`, { body, headers: { 'content-type': 'text/plain', ...headers } });
const post = async (body: Buffer, headers: Record<string, string> = {}) => {
  const made = await callFhir(admin, 'POST', 'Binary', { body, headers: { 'content-type': 'text/plain', ...headers } });
  expect(made.status, made.text).toBe(201);
  return made.body.id as string;
};
const get = (path: string, headers: Record<string, string> = {}) =>
  callFhir(admin, 'GET', `Binary/${path}`, { headers: { accept: '*/*', ...headers } });
const rowsOf = (id: string) => db().select().from(binaryFile).where(eq(binaryFile.binaryId, id));

describe('what is large is a file', () => {
  test('it comes back as it was: whole, in part, as FHIR, and by HEAD without a byte', async () => {
    const id = await post(LARGE);
    expect(await rowsOf(id)).toMatchObject([{ state: 'kept', place: 'files', since: 1, until: null, size: 300_000 }]);
    const whole = await get(id);
    expect([whole.status, whole.headers.get('content-length')]).toEqual([200, '300000']);
    expect(whole.bytes.equals(LARGE)).toBe(true);
    const part = await get(id, { range: 'bytes=299990-' });
    expect([part.status, part.headers.get('content-range')]).toEqual([206, 'bytes 299990-299999/300000']);
    expect(part.bytes.equals(LARGE.subarray(299_990))).toBe(true);
    const middle = await get(id, { range: 'bytes=70000-70005' });
    expect(middle.bytes.equals(LARGE.subarray(70_000, 70_006))).toBe(true);
    expect((await get(id, { range: 'bytes=300000-' })).status).toBe(416);
    expect((await get(id, { 'if-none-match': 'W/"1"' })).status).toBe(304);
    const told = await get(id, { accept: 'application/fhir+json' });
    expect(told.body.data).toBe(LARGE.toString('base64'));
    const head = await callFhir(admin, 'HEAD', `Binary/${id}`);
    expect([head.status, head.bytes.length, head.headers.get('content-length')]).toEqual([200, 0, '300000']);
  });

  test('what breaks off, or is too long, or may not be, leaves nothing', async () => {
    const before = filesOf(project.projectId);
    const upload = (body: ReadableStream, headers: Record<string, string> = {}, caller = admin) =>
      callFhir(caller, 'POST', 'Binary', {
        stream: body,
        headers: { 'content-type': 'text/plain', ...headers },
      });
    let sent = 0;
    const broken = new ReadableStream({
      pull(controller) {
        sent += 1;
        if (sent > 3) controller.error(new Error('gone'));
        else controller.enqueue(LARGE);
      },
    });
    expectIssue(await upload(broken), 400, 'structure');
    let endless = 0;
    const long = new ReadableStream({
      pull(controller) {
        endless += 1;
        controller.enqueue(Buffer.alloc(1024 * 1024));
      },
    });
    expectIssue(await upload(long), 413, 'too-long');
    expect(endless).toBeLessThan(110);
    const none = await project.member([{ resourceType: 'Patient' }]);
    const unread = new ReadableStream(
      {
        pull() {
          throw new Error('It was read');
        },
      },
      { highWaterMark: 0 },
    );
    expectIssue(await upload(unread, {}, none), 403, 'forbidden');
    expectIssue(
      await upload(unread, { 'x-security-context': 'Patient/none' }),
      400,
      'invalid',
      'Binary.securityContext',
    );
    expect(filesOf(project.projectId)).toEqual(before);
    const rows = await db().select().from(binaryFile).where(eq(binaryFile.projectId, project.projectId));
    expect(rows.filter(({ state }) => state !== 'kept')).toEqual([]);
  });

  test('an upload that nobody goes on with is swept, and can become nothing', async () => {
    const key = '11111111-1111-4111-8111-1111111111aa';
    const at = new Date(Date.now() - 3 * 86_400_000);
    await db().insert(binaryFile).values({ projectId: project.projectId, key, state: 'coming', place: 'files', at });
    await sweepBytes();
    expect(await db().select().from(binaryFile).where(eq(binaryFile.key, key))).toEqual([]);
  });

  test('it goes when its Binary does', async () => {
    const before = filesOf(project.projectId);
    const id = await post(LARGE);
    expect(filesOf(project.projectId)).toHaveLength(before.length + 1);
    await put(id, OTHER);
    expect(filesOf(project.projectId)).toHaveLength(before.length + 2);
    await callFhir(admin, 'DELETE', `Binary/${id}`);
    await sweepBytes();
    expect(filesOf(project.projectId)).toEqual(before);
    expect(await rowsOf(id)).toEqual([]);
    expect((await get(`${id}/_history/1`)).status).toBe(404);
  });
});

describe('PUT Binary', () => {
  test.each([
    ['small, large, small', [SMALL, LARGE, Buffer.from('tiny')]],
    ['large, small, large', [LARGE, SMALL, OTHER]],
    ['small, small, small', [SMALL, Buffer.from('two'), Buffer.from('three')]],
    ['large, large, nothing', [LARGE, OTHER, Buffer.alloc(0)]],
  ])('each version has its own bytes: %s', async (_, versions) => {
    const id = await post(versions[0]!);
    for (const [at, bytes] of versions.entries()) {
      if (at > 0) expect((await put(id, bytes)).body.meta.versionId).toBe(String(at + 1));
      expect((await get(id)).bytes.equals(bytes)).toBe(true);
    }
    for (const [at, bytes] of versions.entries()) {
      const version = await get(`${id}/_history/${at + 1}`);
      expect([version.status, version.headers.get('etag')]).toEqual([200, `W/"${at + 1}"`]);
      expect(version.bytes.equals(bytes)).toBe(true);
    }
    const told = await get(`${id}/_history/1`, { accept: 'application/fhir+json' });
    expect(told.body.data).toBe(versions[0]!.toString('base64'));
  });

  test('the same bytes are no new version; other metadata is one, with the bytes that there are', async () => {
    for (const bytes of [SMALL, LARGE]) {
      const id = await post(bytes);
      const before = filesOf(project.projectId);
      expect((await put(id, bytes)).body.meta.versionId).toBe('1');
      expect(filesOf(project.projectId)).toEqual(before);
      const typed = await put(id, bytes, { 'content-type': 'text/csv' });
      expect([typed.body.meta.versionId, typed.body.contentType]).toEqual(['2', 'text/csv']);
      expect((await get(id)).bytes.equals(bytes)).toBe(true);
      const { body } = await get(id, { accept: 'application/fhir+json' });
      const { data: _, ...described } = body;
      const changed = await callFhir(admin, 'PUT', `Binary/${id}`, { body: { ...described, contentType: 'text/x-a' } });
      expect([changed.status, changed.body.meta.versionId]).toEqual([200, '3']);
      const patch = [{ op: 'replace', path: '/contentType', value: 'text/x-b' }];
      const patched = await callFhir(admin, 'PATCH', `Binary/${id}`, {
        body: patch,
        headers: { 'content-type': 'application/json-patch+json' },
      });
      expect([patched.status, patched.body.meta.versionId], patched.text).toEqual([200, '4']);
      expect((await get(id)).bytes.equals(bytes)).toBe(true);
      const given = { ...described, contentType: 'text/x-b', data: Buffer.from('given').toString('base64') };
      expect((await callFhir(admin, 'PUT', `Binary/${id}`, { body: given })).body.meta.versionId).toBe('5');
      expect((await get(id)).text).toBe('given');
      expect((await get(`${id}/_history/4`)).bytes.equals(bytes)).toBe(true);
    }
  });

  test('another version than the expected one is 412 before a byte is read; none is 404; a deleted one comes back', async () => {
    const id = await post(LARGE);
    expectIssue(await put(id, OTHER, { 'if-match': 'W/"7"' }), 412, 'processing');
    expect((await put(id, OTHER, { 'if-match': 'W/"1"' })).status).toBe(200);
    expect((await put(crypto.randomUUID(), OTHER)).status).toBe(404);
    const reader = await project.member([{ resourceType: 'Binary', readonly: true }]);
    expect((await put(id, SMALL, {}, reader)).status).toBe(403);
    expect((await put(id, SMALL, {}, (await makeFhirProject()).admin)).status).toBe(404);
    await callFhir(admin, 'DELETE', `Binary/${id}`);
    expect((await put(id, SMALL)).status).toBe(201);
    expect((await get(id)).text).toBe('small');
    for (const version of [1, 2]) expect((await get(`${id}/_history/${version}`)).status).toBe(404);
  });

  test('of twenty at once each is a version, and none has the bytes of another', async () => {
    const id = await post(LARGE);
    const all = Array.from({ length: 20 }, (_, n) => Buffer.alloc(n % 2 ? 90_000 + n : 10 + n, String(n)));
    const done = await Promise.all(all.map((bytes) => put(id, bytes)));
    expect(done.map(({ status }) => status)).toEqual(all.map(() => 200));
    const versions = done.map(({ body }) => Number(body.meta.versionId));
    expect(versions.toSorted((a, b) => a - b)).toEqual(all.map((_, n) => n + 2));
    for (const [at, version] of versions.entries())
      expect((await get(`${id}/_history/${version}`)).bytes.equals(all[at]!)).toBe(true);
    const kept = (await rowsOf(id)).filter(({ place }) => place === 'files');
    expect(kept.map(({ since }) => since)).toHaveLength(11);
  });

  test('in a transaction and a batch, as the resource', async () => {
    const [first, second] = [await post(LARGE), await post(SMALL)];
    const entryOf = (id: string, text: string) => ({
      request: { method: 'PUT', url: `Binary/${id}` },
      resource: { resourceType: 'Binary', id, contentType: 'text/plain', data: Buffer.from(text).toString('base64') },
    });
    for (const type of ['transaction', 'batch']) {
      const bundle = {
        resourceType: 'Bundle',
        type,
        entry: [entryOf(first, `1 ${type}`), entryOf(second, `2 ${type}`)],
      };
      const answer = await callFhir(admin, 'POST', '', { body: bundle });
      expect(answer.status, answer.text).toBe(200);
      expect([(await get(first)).text, (await get(second)).text]).toEqual([`1 ${type}`, `2 ${type}`]);
    }
    const read = {
      resourceType: 'Bundle',
      type: 'batch',
      entry: [{ request: { method: 'GET', url: `Binary/${first}` } }],
    };
    const { body } = await callFhir(admin, 'POST', '', { body: read });
    expect(body.entry[0].resource.data).toBe(Buffer.from('1 batch').toString('base64'));
  });

  test('bytes go when the versions that have them are not kept any more', async () => {
    const id = await post(LARGE);
    await put(id, SMALL);
    await put(id, OTHER);
    const before = filesOf(project.projectId);
    await db().execute(
      sql`delete from resource_history where project_id = ${project.projectId} and id = ${id} and version < 3`,
    );
    await sweepBytes();
    expect(filesOf(project.projectId)).toHaveLength(before.length - 1);
    expect(await rowsOf(id)).toMatchObject([{ since: 3, until: null }]);
    expect((await get(id)).bytes.equals(OTHER)).toBe(true);
  });
});
