import { sql } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { flushReads } from '#lib/domain/audit/note-read.ts';
import { type Answer, callApi } from '#lib/testing/call-api.ts';
import { callFhir, expectIssue, FHIR_BASE } from '#lib/testing/fhir/call-fhir.ts';
import { type Caller, type FhirProject, makeFhirProject } from '#lib/testing/fhir/fhir-project.ts';
import { db } from '#lib/testing/set-up/own-db.ts';

type Body = Answer['body'];

let project: FhirProject;
let admin: Caller;
beforeAll(async () => {
  project = await makeFhirProject();
  admin = project.admin;
});

const make = async (body: object, caller = admin): Promise<Body> =>
  (await callFhir(caller, 'POST', (body as { resourceType: string }).resourceType, { body })).body;
const put = async (body: Body): Promise<Body> =>
  (await callFhir(admin, 'PUT', `${body.resourceType}/${body.id}`, { body })).body;
const drop = (body: Body) => callFhir(admin, 'DELETE', `${body.resourceType}/${body.id}`);
const get = (path: string, caller = admin) => callFhir(caller, 'GET', path);
const nextOf = ({ body }: Answer): string | undefined =>
  body.link.find(({ relation }: Body) => relation === 'next')?.url.slice(FHIR_BASE.length + 1);
/** `Type/id/version` of each entry, in their order. */
const named = ({ body }: Answer): string[] =>
  (body.entry ?? []).map(
    ({ fullUrl, response }: Body) => `${fullUrl.slice(FHIR_BASE.length + 1)}/${response.etag.slice(3, -1)}`,
  );

async function walk(path: string, caller = admin, between: () => Promise<unknown> = async () => {}): Promise<string[]> {
  const seen: string[] = [];
  for (let at: string | undefined = path; at; ) {
    const page = await get(at, caller);
    expect(page.status, page.text).toBe(200);
    seen.push(...named(page));
    at = nextOf(page);
    await between();
  }
  return seen;
}

describe('the history of a type', () => {
  test('tells every version of every resource, newest first, deletions without a resource', async () => {
    const one = await make({ resourceType: 'Basic', code: { text: 'one' } });
    const two = await make({ resourceType: 'Basic', code: { text: 'two' } });
    await put({ ...one, code: { text: 'changed' } });
    await drop(two);
    const answer = await get('Basic/_history');
    const { body } = answer;
    expect([body.type, body.total]).toEqual(['history', 4]);
    expect(named(answer)).toEqual([`Basic/${two.id}/2`, `Basic/${one.id}/2`, `Basic/${two.id}/1`, `Basic/${one.id}/1`]);
    expect(body.entry.map(({ request, response, resource }: Body) => [request, response.status, !!resource])).toEqual([
      [{ method: 'DELETE', url: `Basic/${two.id}` }, '200 OK', false],
      [{ method: 'PUT', url: `Basic/${one.id}` }, '200 OK', true],
      [{ method: 'POST', url: 'Basic' }, '201 Created', true],
      [{ method: 'POST', url: 'Basic' }, '201 Created', true],
    ]);
    expect(body.entry[1].resource.code.text).toBe('changed');
    expect(body.entry[1].response.lastModified).toBe(body.entry[1].resource.meta.lastUpdated);
    expect(body.link).toEqual([{ relation: 'self', url: `${FHIR_BASE}/Basic/_history?_count=20` }]);
    const head = await callFhir(admin, 'HEAD', 'Basic/_history');
    expect([head.status, head.text]).toEqual([200, '']);
  });

  test('pages neither lose nor repeat a version while others write, however many are of one instant', async () => {
    const { admin: own } = await makeFhirProject();
    const bodies = Array.from({ length: 23 }, () => make({ resourceType: 'Flag', ...FLAG }, own));
    const made = (await Promise.all(bodies)).map(({ id }) => `Flag/${id}/1`);
    const seen = await walk('Flag/_history?_count=5', own, () => make({ resourceType: 'Flag', ...FLAG }, own));
    expect(seen.toSorted()).toEqual(made.toSorted());
    expect((await get('Flag/_history?_count=5', own)).body.total).toBeUndefined();
  });

  test('_since is inclusive; _at tells what was current then', async () => {
    const { admin: own } = await makeFhirProject();
    const versions = [await make({ resourceType: 'Flag', ...FLAG }, own)];
    for (const text of ['b', 'c']) {
      const body = { ...versions[0], code: { text } };
      versions.push((await callFhir(own, 'PUT', `Flag/${versions[0].id}`, { body })).body);
    }
    const gone = await make({ resourceType: 'Flag', ...FLAG }, own);
    await callFhir(own, 'DELETE', `Flag/${gone.id}`);
    const last = await make({ resourceType: 'Flag', ...FLAG }, own);
    const at = (version: Body) => version.meta.lastUpdated;
    const id = versions[0].id;
    const since = async (level: string, version: Body) => named(await get(`${level}?_since=${at(version)}`, own));
    expect(await since('Flag/_history', gone)).toEqual([`Flag/${last.id}/1`, `Flag/${gone.id}/2`, `Flag/${gone.id}/1`]);
    for (const level of ['Flag/_history?', `Flag/${id}/_history?`, '_history?_type=Flag&']) {
      const ask = async (text: string) => named(await get(`${level}_at=${text}`, own));
      expect(await ask(at(versions[1])), level).toEqual([`Flag/${id}/2`]);
      expect(await ask('1999')).toEqual([]);
      const now = await ask(new Date(Date.now() + 5000).toISOString());
      expect(now, level).toEqual(level.includes(id) ? [`Flag/${id}/3`] : [`Flag/${last.id}/1`, `Flag/${id}/3`]);
      expect((await ask(at(last).slice(0, 4))).length).toBe(level.includes(id) ? 3 : 6);
    }
    expect((await get(`Flag/${id}/_history?_at=${at(versions[1])}`, own)).body.total).toBe(1);
  });

  test.each([
    ['Basic/_history?_count=x', '_count'],
    ['Basic/_history?_count=0', '_count'],
    ['Basic/_history?_cursor=x', '_cursor'],
    ['Basic/_history?_since=soon', '_since'],
    ['Basic/_history?_at=soon', '_at'],
    ['Basic/_history?_since=2020&_since=2021', '_since'],
    ['Basic/_history?_type=Basic', '_type'],
    ['Basic/_history?_offset=1', '_offset'],
    ['Basic/_history?name=x', 'name'],
    ['_history?_type=Nothing', '_type'],
    ['_history?_type=', '_type'],
    ['Basic/x/_history?_at=2020-13', '_at'],
  ])('400 for %s, naming %s', async (path, name) => expectIssue(await get(path), 400, 'invalid', name));

  test('an unknown type is 404; the audit log has none', async () => {
    expectIssue(await get('Nothing/_history'), 404, 'not-supported');
    const log = await get('AuditEvent/_history');
    expect([log.status, log.headers.get('allow')]).toEqual([405, 'OPTIONS']);
    expect((await callFhir(admin, 'POST', 'Basic/_history')).status).toBe(405);
  });
});

describe('the history of all', () => {
  test('tells of every type that the caller may see, of the named ones alone where _type says so', async () => {
    const { admin: own } = await makeFhirProject();
    const patient = await make({ resourceType: 'Patient' }, own);
    const flag = await make({ resourceType: 'Flag', ...FLAG }, own);
    const basic = await make({ resourceType: 'Basic', code: { text: 'x' } }, own);
    const all = await walk('_history?_count=2', own);
    expect(all.slice(0, 3)).toEqual([`Basic/${basic.id}/1`, `Flag/${flag.id}/1`, `Patient/${patient.id}/1`]);
    expect(all.map((name) => name.split('/')[0])).toEqual(expect.arrayContaining(['ClientApplication', 'Project']));
    expect(new Set(all).size).toBe(all.length);
    const two = await get('_history?_type=Patient,Basic', own);
    expect(named(two)).toEqual([`Basic/${basic.id}/1`, `Patient/${patient.id}/1`]);
    expect([two.body.total, two.body.link[0].url]).toEqual([
      2,
      `${FHIR_BASE}/_history?_count=20&_type=Patient%2CBasic`,
    ]);
    expect((await get('_history?_type=Login', own)).status).toBe(403);
    expect((await callFhir(undefined, 'GET', '_history')).status).toBe(401);
  });
});

describe('a limited caller', () => {
  const PATIENT = { resourceType: 'Patient' };
  test('sees what the history of each resource shows, and nothing tells of the rest', async () => {
    const own = await makeFhirProject();
    const limited = await own.member([{ resourceType: 'Patient', criteria: 'Patient?gender=female' }]);
    const write = (method: string, path: string, body?: object) => callFhir(own.admin, method, path, { body });
    const her = (await write('POST', 'Patient', { ...PATIENT, gender: 'female' })).body;
    const him = (await write('POST', 'Patient', { ...PATIENT, gender: 'male' })).body;
    // In reach once, and now in reach: only the newest. In reach once, and no longer: nothing.
    const turned = (await write('POST', 'Patient', { ...PATIENT, gender: 'male' })).body;
    await write('PUT', `Patient/${turned.id}`, { ...turned, gender: 'female' });
    const left = (await write('POST', 'Patient', { ...PATIENT, gender: 'female' })).body;
    await write('PUT', `Patient/${left.id}`, { ...left, gender: 'male' });
    const gone = (await write('POST', 'Patient', { ...PATIENT, gender: 'female' })).body;
    await write('DELETE', `Patient/${gone.id}`);
    const unseen = (await write('POST', 'Patient', { ...PATIENT, gender: 'male' })).body;
    await write('DELETE', `Patient/${unseen.id}`);
    await write('POST', 'Basic', { resourceType: 'Basic', code: { text: 'x' } });
    const expected = [`${gone.id}/2`, `${gone.id}/1`, `${turned.id}/2`, `${her.id}/1`].map((name) => `Patient/${name}`);
    for (const path of ['Patient/_history', '_history', '_history?_type=Patient']) {
      const answer = await get(path, limited);
      expect(named(answer), path).toEqual(expected);
      expect([answer.body.total, nextOf(answer)]).toEqual([4, undefined]);
      expect(answer.text).not.toContain(him.id);
      expect(await walk(`${path}${path.includes('?') ? '&' : '?'}_count=1`, limited)).toEqual(expected);
    }
    expect((await get('Basic/_history', limited)).status).toBe(403);
    expect((await get('_history?_type=Patient,Basic', limited)).status).toBe(403);
    const nobody = await own.member([{ resourceType: 'Patient', interaction: ['read'] }]);
    expect((await get('_history?_type=Patient', nobody)).status).toBe(403);
    for (const each of [...expected.map((name) => name.split('/')[1]), him.id, left.id, unseen.id]) {
      const single = await get(`Patient/${each}/_history`, limited);
      const shown = single.status === 200 ? named(single) : [];
      expect(shown).toEqual(expected.filter((name) => name.startsWith(`Patient/${each}/`)));
    }
  });

  test('sees what lies behind thousands that they may not see, page by page', async () => {
    const own = await makeFhirProject();
    const limited = await own.member([{ resourceType: 'Patient', criteria: 'Patient?gender=female' }]);
    const write = (body: object) => callFhir(own.admin, 'POST', 'Patient', { body });
    const her = (await write({ ...PATIENT, gender: 'female' })).body;
    const him = (await write({ ...PATIENT, gender: 'male' })).body;
    await db().execute(sql`
      insert into resource_history (project_id, type_id, id, version, op, last_updated, meta, content)
      select project_id, type_id, id, n, 'update', last_updated + n * interval '1 millisecond', meta, content
      from resource_history, generate_series(2, 4500) n where project_id = ${own.projectId} and id = ${him.id}`);
    const first = await get('Patient/_history', limited);
    expect([first.body.entry, first.body.total, first.text.includes(him.id)]).toEqual([undefined, undefined, false]);
    expect(await walk('Patient/_history', limited)).toEqual([`Patient/${her.id}/1`]);
  });

  test('with heavy versions among them is judged as with light ones', async () => {
    const own = await makeFhirProject();
    const limited = await own.member([{ resourceType: 'Patient', criteria: 'Patient?gender=female' }]);
    const text = Array.from({ length: 400 }, () => crypto.randomUUID()).join(' ');
    const heavy = { ...PATIENT, name: [{ text }] };
    const write = (method: string, path: string, body?: object) => callFhir(own.admin, method, path, { body });
    const kept = (await write('POST', 'Patient', { ...heavy, gender: 'female' })).body;
    await write('PUT', `Patient/${kept.id}`, { ...kept, active: true });
    const left = (await write('POST', 'Patient', { ...heavy, gender: 'female' })).body;
    await write('PUT', `Patient/${left.id}`, { ...left, gender: 'male' });
    const gone = (await write('POST', 'Patient', { ...heavy, gender: 'female' })).body;
    await write('DELETE', `Patient/${gone.id}`);
    const before = new Date(Date.parse(gone.meta.lastUpdated)).toISOString();
    const expected = [`${gone.id}/2`, `${gone.id}/1`, `${kept.id}/2`, `${kept.id}/1`].map((name) => `Patient/${name}`);
    expect(named(await get('Patient/_history', limited))).toEqual(expected);
    expect(named(await get(`Patient/_history?_at=${before}`, limited))).toEqual([
      `Patient/${gone.id}/1`,
      `Patient/${kept.id}/2`,
    ]);
  });
});

test('another project sees nothing of it, and a cursor of ours opens nothing there', async () => {
  for (const text of ['a', 'b']) await make({ resourceType: 'Basic', code: { text } });
  const next = nextOf(await get('Basic/_history?_count=1'))!;
  const other = await makeFhirProject();
  expect((await get('Basic/_history', other.admin)).body).toMatchObject({ total: 0 });
  expect(named(await get(next, other.admin))).toEqual([]);
});

test('who was shown what stands in the audit log where reads do', async () => {
  const own = await makeFhirProject();
  const body = [{ name: 'auditReads', valueBoolean: true }];
  const set = await callApi(own.admin.authorization, 'POST', `/admin/projects/${own.projectId}/settings`, { body });
  expect(set.status).toBe(200);
  const made = await make({ resourceType: 'Basic', code: { text: 'x' } }, own.admin);
  await get('_history?_type=Basic,Flag', own.admin);
  await flushReads();
  const rows = await db().execute(
    sql`select target, after from audit_event where project_id = ${own.projectId} and action = 'resource.search'`,
  );
  expect([...rows]).toEqual([{ target: 'Basic', after: { found: [made.id] } }]);
});

const FLAG = { status: 'active', code: { text: 'a' }, subject: { display: 'x' } };
