import { sql } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { env } from '#lib/base/env.ts';
import { watchStatements } from '#lib/infra/db/client.ts';
import { asWritten } from '#lib/infra/db/cluster/at-home.ts';
import type { Answer } from '#lib/testing/call-api.ts';
import { callFhir, expectIssue, FHIR_BASE } from '#lib/testing/fhir/call-fhir.ts';
import { type Caller, type FhirProject, makeFhirProject } from '#lib/testing/fhir/fhir-project.ts';
import { db } from '#lib/testing/set-up/own-db.ts';

let project: FhirProject;
let admin: Caller;

beforeAll(async () => {
  project = await makeFhirProject();
  admin = project.admin;
});

const PATIENT = { resourceType: 'Patient', name: [{ family: 'Kreiger' }] };

async function makePatient(body: object = PATIENT): Promise<Answer['body']> {
  return (await callFhir(admin, 'POST', 'Patient', { body })).body;
}

describe('create', () => {
  test('a resource that nothing else hangs on is one statement with its audit row', async () => {
    const texts: string[] = [];
    const stop = watchStatements((text, params) => texts.push(asWritten(text, params)));
    const { body } = await callFhir(admin, 'POST', 'Patient', { body: PATIENT });
    stop();
    // The invite that made the caller is counted a moment later.
    const own = texts.filter((text) => !text.includes('rate_counter'));
    const writing = own.filter((text) => /insert into|begin|commit/.test(text));
    expect(writing).toEqual([expect.stringMatching(/insert into resource .*insert into audit_event/s)]);
    const audit = await db().execute(sql`select action from audit_event where target = ${`Patient/${body.id}`}`);
    expect(audit).toEqual([{ action: 'resource.create' }]);
  });

  test('400 for an Idempotency-Key, which would count for nothing', async () => {
    const headers = { 'idempotency-key': 'once' };
    const entry = [{ request: { method: 'POST', url: 'Patient' }, resource: PATIENT }];
    const bundle = { resourceType: 'Bundle', type: 'batch', entry };
    for (const [path, body] of [
      ['Patient', PATIENT],
      ['', bundle],
    ] as const)
      expectIssue(await callFhir(admin, 'POST', path, { body, headers }), 400, 'invalid', 'http.Idempotency-Key');
  });

  test('201 with Location, ETag and Last-Modified; the id and version are ours', async () => {
    const body = {
      ...PATIENT,
      id: 'mine',
      meta: { versionId: '9', lastUpdated: '1999-01-01T00:00:00Z', tag: [{ code: 't' }] },
    };
    const answer = await callFhir(admin, 'POST', 'Patient', { body });
    expect(answer.status).toBe(201);
    const { id, meta } = answer.body;
    expect(id).not.toBe('mine');
    expect(meta).toEqual({ versionId: '1', lastUpdated: expect.any(String), tag: [{ code: 't' }] });
    expect(answer.headers.get('location')).toBe(`${FHIR_BASE}/Patient/${id}/_history/1`);
    expect(answer.headers.get('etag')).toBe('W/"1"');
    expect(answer.headers.get('last-modified')).toBe(new Date(meta.lastUpdated).toUTCString());
  });

  test.each([
    ['return=minimal', ''],
    ['respond-sync, return=minimal', ''],
    ['return=OperationOutcome', 'OperationOutcome'],
    ['return=representation', 'Patient'],
    ['return=nonsense; handling=x', 'Patient'],
  ])('Prefer %s', async (prefer, resourceType) => {
    const answer = await callFhir(admin, 'POST', 'Patient', { body: PATIENT, headers: { prefer } });
    expect(answer.status).toBe(201);
    expect(answer.headers.get('etag')).toBe('W/"1"');
    expect(answer.body?.resourceType ?? answer.text).toBe(resourceType);
  });

  test.each([
    ['malformed JSON', '{', 'structure'],
    ['nothing', undefined, 'structure'],
    ['two equal keys', '{"resourceType":"Patient","active":true,"active":false}', 'structure'],
    ['an array', '[]', 'structure'],
    ['an unknown element', { ...PATIENT, nickname: 'K' }, 'structure'],
    ['a wrong JSON type', { ...PATIENT, active: 'true' }, 'structure'],
    ['a code outside a required binding', { ...PATIENT, gender: 'm' }, 'code-invalid'],
    ['an empty string', { ...PATIENT, name: [{ family: '' }] }, 'value'],
    ['another type', { resourceType: 'Practitioner' }, 'value'],
    ['a NUL character', '{"resourceType":"Patient","name":[{"family":"a\\u0000b"}]}', undefined],
    ['half a surrogate pair', '{"resourceType":"Patient","name":[{"family":"a\\ud800b"}]}', undefined],
  ])('400 for %s', async (_, body, code) => {
    const answer = await callFhir(admin, 'POST', 'Patient', { body, headers: { 'content-type': 'application/json' } });
    expectIssue(answer, 400, code ?? answer.body.issue[0].code);
  });

  test('400 for a decimal that no database holds', async () => {
    const body =
      '{"resourceType":"Observation","status":"final","code":{"text":"x"},"valueQuantity":{"value":1e999999}}';
    const answer = await callFhir(admin, 'POST', 'Observation', {
      body,
      headers: { 'content-type': 'application/fhir+json' },
    });
    expect(answer.status).toBe(400);
  });

  test('415 for XML, 413 for more than the setting says, 404 for an unknown type, 401 without credentials', async () => {
    const xml = { 'content-type': 'application/fhir+xml' };
    expectIssue(await callFhir(admin, 'POST', 'Patient', { body: '<Patient/>', headers: xml }), 415, 'not-supported');
    const limit = env().MAX_BODY_MIB * 1024 * 1024;
    const headers = { 'content-length': String(limit + 1) };
    expectIssue(await callFhir(admin, 'POST', 'Patient', { body: PATIENT, headers }), 413, 'too-long');
    expectIssue(await callFhir(admin, 'POST', 'Patients', { body: PATIENT }), 404, 'not-supported');
    expectIssue(await callFhir(undefined, 'POST', 'Patient', { body: PATIENT }), 401, 'login');
  });

  test('a document inside a resource may be large, and comes back whole', async () => {
    const data = Buffer.alloc(9 * 1024 * 1024, 'scan').toString('base64');
    const content = [{ attachment: { contentType: 'application/pdf', data } }];
    const body = { resourceType: 'DocumentReference', status: 'current', content };
    const made = await callFhir(admin, 'POST', 'DocumentReference', { body });
    expect(made.status).toBe(201);
    const read = await callFhir(admin, 'GET', `DocumentReference/${made.body.id}`);
    expect(read.body.content[0].attachment.data === data).toBe(true);
  });

  test('a decimal comes back with its digits', async () => {
    const body = '{"resourceType":"Observation","status":"final","code":{"text":"x"},"valueQuantity":{"value":1.50}}';
    const made = await callFhir(admin, 'POST', 'Observation', {
      body,
      headers: { 'content-type': 'application/fhir+json' },
    });
    const read = await callFhir(admin, 'GET', `Observation/${made.body.id}`);
    expect(read.text).toMatch(/"value": ?1\.50\b/);
  });
});

describe('create with If-None-Exist', () => {
  const person = (value: string) => ({ ...PATIENT, identifier: [{ system: 'urn:s', value }] });

  test.each(['identifier=urn:s|once', '?identifier=urn:s|once', 'Patient?identifier=urn%3As%7Conce'])(
    '%s: 200 with the one that is there',
    async (condition) => {
      const body = person('once');
      const first = await callFhir(admin, 'POST', 'Patient', {
        body,
        headers: { 'if-none-exist': 'identifier=urn:s|once' },
      });
      const again = await callFhir(admin, 'POST', 'Patient', { body, headers: { 'if-none-exist': condition } });
      expect(again.status).toBe(200);
      expect(again.body.id).toBe(first.body.id);
      expect(again.headers.get('location')).toContain(first.body.id);
      expect(again.headers.get('etag')).toBe('W/"1"');
    },
  );

  test('of twenty at once exactly one is created', async () => {
    const headers = { 'if-none-exist': 'identifier=urn:s|race' };
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => callFhir(admin, 'POST', 'Patient', { body: person('race'), headers })),
    );
    expect(answers.filter(({ status }) => status === 201).length).toBe(1);
    expect(answers.filter(({ status }) => status === 200).length).toBe(19);
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
  });

  test('412 for several matches or no criteria, 400 for an unknown or a control parameter', async () => {
    await makePatient(person('twice'));
    await makePatient(person('twice'));
    const attempt = (condition: string) =>
      callFhir(admin, 'POST', 'Patient', { body: PATIENT, headers: { 'if-none-exist': condition } });
    expectIssue(await attempt('identifier=urn:s|twice'), 412, 'multiple-matches');
    expectIssue(await attempt('?'), 412, 'processing');
    expectIssue(await attempt('nosuch=1'), 400, 'invalid');
    expectIssue(await attempt('identifier=urn:s|twice&_count=1'), 400, 'invalid', '_count');
  });

  test('a match out of the caller’s sight is none: nothing is told of it', async () => {
    await makePatient(person('unseen'));
    const limited = await project.member([
      { resourceType: 'Patient', criteria: 'Patient?gender=female', interaction: ['read', 'search'] },
      { resourceType: 'Patient', interaction: ['create'] },
    ]);
    const create = (value: string) =>
      callFhir(limited, 'POST', 'Patient', {
        body: PATIENT,
        headers: { 'if-none-exist': `identifier=urn:s|${value}` },
      });
    expect([(await create('unseen')).status, (await create('nobody')).status]).toEqual([201, 201]);
  });
});
