import { gunzipSync } from 'node:zlib';
import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { bulkExport } from '#lib/infra/db/schema/fhir/bulk-data.ts';
import { callApi } from '#lib/testing/call-api.ts';
import { callFhir, expectIssue } from '#lib/testing/fhir/call-fhir.ts';
import {
  complete,
  exported,
  fetchFile,
  groupOf,
  idsOf,
  linesOf,
  make,
  observationOf,
  start,
  statusOf,
} from '#lib/testing/fhir/exports.ts';
import { type Caller, type FhirProject, makeFhirProject } from '#lib/testing/fhir/fhir-project.ts';
import { db } from '#lib/testing/set-up/own-db.ts';

let project: FhirProject;
let admin: Caller;

beforeAll(async () => {
  project = await makeFhirProject();
  admin = project.admin;
  const id = await make(admin, 'Patient', { name: [{ family: 'Adams' }] });
  await make(admin, 'Observation', observationOf(id));
});

describe('404', () => {
  test('an export is its author’s own, and is gone when it is cancelled', async () => {
    const path = statusOf(await start(admin, '$export?_type=Patient'));
    const manifest = await complete(admin, await start(admin, '$export?_type=Patient'));
    const other = await project.member();
    for (const caller of [other, (await makeFhirProject()).admin]) {
      expectIssue(await callFhir(caller, 'GET', path), 404, 'not-found');
      expectIssue(await callFhir(caller, 'DELETE', path), 404, 'not-found');
    }
    expect((await callFhir(admin, 'DELETE', path)).status).toBe(202);
    expectIssue(await callFhir(admin, 'GET', path), 404, 'not-found');
    const id = new URL(manifest.output[0]!.url).pathname.split('/')[4];
    expect((await callFhir(admin, 'DELETE', `export/${id}/status`)).status).toBe(202);
    expectIssue(await fetchFile(manifest.output[0]!.url), 404, 'not-found');
  });

  test('nor does an administrator begin, or see, one for another member: its links would outlive their right to', async () => {
    const member = await project.member();
    const headers = { prefer: 'respond-async', 'x-medplum-on-behalf-of': member.profile };
    expectIssue(await callFhir(admin, 'GET', '$export?_type=Patient', { headers }), 403, 'forbidden');
    const path = statusOf(await start(member, '$export?_type=Patient'));
    expectIssue(await callFhir(admin, 'GET', path, { headers }), 404, 'not-found');
  });

  test('a link that was changed, whose time is over, or whose author is gone leads to nothing', async () => {
    const member = await project.member();
    const { output } = await complete(member, await start(member, '$export?_type=Patient,Observation'));
    const url = new URL(output[0]!.url);
    for (const [name, value] of [
      ['signature', 'x'],
      ['expires', String(Number(url.searchParams.get('expires')) + 1)],
      ['project', (await makeFhirProject()).projectId],
    ] as const) {
      const other = new URL(url);
      other.searchParams.set(name, value);
      expectIssue(await fetchFile(other.href), 404, 'not-found');
    }
    expectIssue(await fetchFile(url.href.replace('/0?', '/1?')), 404, 'not-found');
    expect((await fetchFile(url.href)).status).toBe(200);
    const path = `/admin/projects/${project.projectId}/members/${member.membershipId}`;
    expect((await callApi(admin.authorization, 'DELETE', path)).status).toBe(200);
    expectIssue(await fetchFile(url.href), 404, 'not-found');
    const own = await complete(admin, await start(admin, '$export?_type=Patient'));
    const id = new URL(own.output[0]!.url).pathname.split('/')[4]!;
    await db()
      .update(bulkExport)
      .set({ expiresAt: new Date(0) })
      .where(eq(bulkExport.id, id));
    expectIssue(await fetchFile(own.output[0]!.url), 404, 'not-found');
  });

  test('operations that there are not, and a Group that is none', async () => {
    expectIssue(await start(admin, '$exports'), 404, 'not-supported');
    expectIssue(await start(admin, '$validate', { body: {} }, 'POST'), 404, 'not-supported');
    expectIssue(await start(admin, 'Group/nothing/$export'), 404, 'not-found');
  });
});

test('an export is planned where it was left, in steps that any process takes: two that ask at once plan nothing twice', async () => {
  const own = await makeFhirProject();
  const ids = await Promise.all(Array.from({ length: 3 }, () => make(own.admin, 'Patient', {})));
  const path = statusOf(await start(own.admin, '$export?_type=Patient'));
  const id = path.split('/')[1]!;
  const answers = await Promise.all(Array.from({ length: 4 }, () => callFhir(own.admin, 'GET', path)));
  expect(answers.every(({ status }) => status === 200 || status === 202)).toBe(true);
  const done = await callFhir(own.admin, 'GET', path);
  expect(idsOf(await linesOf(done.body))).toEqual([...ids].sort());
  // As a process leaves it that is killed in the middle: what is planned stands in the row, and so does where to go on.
  const after = [...ids].sort()[0]!;
  const pieces = [{ type: 'Patient', batch: 0, after: '', to: after, count: 1 }];
  const place = { type: 0, batch: 0, after };
  await db().update(bulkExport).set({ done: false, pieces, place }).where(eq(bulkExport.id, id));
  const again = await callFhir(own.admin, 'GET', path);
  expect(again.body.output.map(({ count }: { count: number }) => count)).toEqual([1, 2]);
  expect(idsOf(await linesOf(again.body))).toEqual([...ids].sort());
});

test('what is in the compartments of patients of several files stands in one of them', async () => {
  const own = await makeFhirProject();
  const ids: string[] = [];
  const entry = Array.from({ length: 201 }, () => ({
    request: { method: 'POST', url: 'Patient' },
    resource: { resourceType: 'Patient' },
  }));
  const bundle = { resourceType: 'Bundle', type: 'transaction', entry };
  const stored = await callFhir(own.admin, 'POST', '', { body: bundle });
  for (const { response } of stored.body.entry) ids.push(response.location.split('/Patient/')[1].split('/')[0]);
  const sorted = [...ids].sort();
  const participant = [sorted[0], sorted[200]].map((each) => ({
    actor: { reference: `Patient/${each}` },
    status: 'accepted',
  }));
  const appointment = await make(own.admin, 'Appointment', { status: 'booked', participant });
  const group = await make(own.admin, 'Group', groupOf(ids.map((each) => `Patient/${each}`)));
  const lines = await exported(own.admin, `Group/${group}/$export?_type=Patient,Appointment`);
  expect([idsOf(lines, 'Patient'), idsOf(lines, 'Appointment')]).toEqual([sorted, [appointment]]);
});

test('nothing of what is exported stands in the row of an export', async () => {
  const manifest = await complete(admin, await start(admin, '$export?_type=Patient'));
  const id = new URL(manifest.output[0]!.url).pathname.split('/')[4]!;
  const [row] = await db().select().from(bulkExport).where(eq(bulkExport.id, id));
  expect(JSON.stringify(row)).not.toMatch(/Adams|resourceType/);
});

test('a filter is of a type that is exported: of another, what is wrong is said, and nothing is passed over', async () => {
  const own = await makeFhirProject();
  const limited = await own.member([{ resourceType: 'Patient' }]);
  const asked = (path: string, filter: string, caller = own.admin) => start(caller, `${path}?_typeFilter=${filter}`);
  for (const [path, filter] of [
    ['$export', 'Binary?_id=x'],
    ['$export', 'AuditEvent?_id=x'],
    ['Patient/$export', 'Medication?code=x'],
  ] as const)
    expectIssue(await asked(path, filter), 400, 'invalid', '_typeFilter');
  expectIssue(await asked('$export', 'Observation?status=final', limited), 403, 'forbidden');
  expect((await asked('$export', 'Patient?active=true', limited)).status).toBe(202);
});

test('a file goes as gzip to who takes it, and as it is to everybody else', async () => {
  for (let at = 0; at < 30; at++) await make(admin, 'Basic', { code: { text: `${at}`.repeat(2000) } });
  const { output } = await complete(admin, await start(admin, '$export?_type=Basic'));
  const plain = await fetchFile(output[0]!.url);
  expect([plain.headers.get('content-encoding'), plain.headers.get('vary')]).toEqual([null, 'Accept-Encoding']);
  const packed = await fetchFile(output[0]!.url, 'GET', { 'accept-encoding': 'gzip' });
  expect(packed.headers.get('content-encoding')).toBe('gzip');
  expect(packed.headers.get('content-type')).toBe('application/fhir+ndjson');
  expect(gunzipSync(packed.bytes).toString()).toBe(plain.text);
  expect(packed.bytes.length * 10).toBeLessThan(plain.text.length);
  const refused = await fetchFile(output[0]!.url, 'GET', { 'accept-encoding': 'gzip;q=0' });
  expect(refused.headers.get('content-encoding')).toBeNull();
  const head = await fetchFile(output[0]!.url, 'HEAD', { 'accept-encoding': 'gzip' });
  expect([head.status, head.text]).toEqual([200, '']);
});
