import { beforeAll, describe, expect, test } from 'vitest';
import type { Answer, Call } from '#lib/testing/call-api.ts';
import { callFhir, expectIssue, FHIR_BASE } from '#lib/testing/fhir/call-fhir.ts';
import { type Caller, type FhirProject, makeFhirProject } from '#lib/testing/fhir/fhir-project.ts';

/** Rules of R4's REST that servers get wrong, where no other file holds them. */
let project: FhirProject;
let admin: Caller;
beforeAll(async () => {
  project = await makeFhirProject();
  admin = project.admin;
});

const PATIENT = { resourceType: 'Patient', name: [{ family: 'Rule' }] };
const PATCH = { 'content-type': 'application/json-patch+json' };
const make = async (body: object = PATIENT): Promise<Answer['body']> =>
  (await callFhir(admin, 'POST', (body as typeof PATIENT).resourceType, { body })).body;
const patch = (id: string, operations: object[], headers: Record<string, string> = {}) =>
  callFhir(admin, 'PATCH', `Patient/${id}`, { body: JSON.stringify(operations), headers: { ...PATCH, ...headers } });

describe('versions', () => {
  test('every answer with a resource carries its version and time, as its meta says', async () => {
    const made = await make();
    const path = `Patient/${made.id}`;
    const answers = [
      await callFhir(admin, 'POST', 'Patient', { body: PATIENT }),
      await callFhir(admin, 'GET', path),
      await callFhir(admin, 'GET', `${path}/_history/1`),
      await callFhir(admin, 'PUT', path, { body: { ...made, active: true } }),
      await patch(made.id, [{ op: 'replace', path: '/active', value: false }]),
    ];
    for (const { body, headers } of answers) {
      expect(headers.get('etag')).toBe(`W/"${body.meta.versionId}"`);
      expect(headers.get('last-modified')).toBe(new Date(body.meta.lastUpdated).toUTCString());
      expect(body.meta.lastUpdated).toMatch(/\.\d{3}Z$/);
    }
    const minimal = await callFhir(admin, 'PUT', path, { body: made, headers: { prefer: 'return=minimal' } });
    expect([minimal.text, minimal.headers.get('etag')]).toEqual(['', 'W/"4"']);
  });

  test('the server’s part of meta is not the client’s; profile, tag and security are, and are replaced by an update', async () => {
    const tag = [{ system: 'urn:t', code: 'a' }];
    const meta = { versionId: '77', lastUpdated: '2001-01-01T00:00:00Z', tag, profile: ['http://example.com/p'] };
    const made = await make({ ...PATIENT, meta } as object);
    expect(made.meta).toMatchObject({ versionId: '1', tag, profile: meta.profile });
    expect(Date.parse(made.meta.lastUpdated)).toBeGreaterThan(Date.parse('2020-01-01'));
    const other = { ...made, meta: { tag: [{ system: 'urn:t', code: 'b' }] } };
    const updated = await callFhir(admin, 'PUT', `Patient/${made.id}`, { body: other });
    expect([updated.body.meta.tag, updated.body.meta.profile]).toEqual([other.meta.tag, undefined]);
  });

  test('time never runs backwards within a resource, however fast it changes', async () => {
    const { id } = await make();
    await Promise.all(
      Array.from({ length: 10 }, (_, at) => patch(id, [{ op: 'add', path: '/name/0/text', value: `${at}` }])),
    );
    const { body } = await callFhir(admin, 'GET', `Patient/${id}/_history`);
    const times = body.entry.map(({ resource }: Answer['body']) => Date.parse(resource.meta.lastUpdated));
    expect(new Set(times).size).toBe(times.length);
    expect(times).toEqual(times.toSorted((a: number, b: number) => b - a));
  });

  test('a deleted one that comes back has a gap in its history', async () => {
    const made = await make();
    await callFhir(admin, 'DELETE', `Patient/${made.id}`);
    await callFhir(admin, 'PUT', `Patient/${made.id}`, { body: made });
    const { body } = await callFhir(admin, 'GET', `Patient/${made.id}/_history`);
    expect(body.entry.map(({ resource }: Answer['body']) => resource?.meta.versionId)).toEqual(['3', undefined, '1']);
    expectIssue(await callFhir(admin, 'GET', `Patient/${made.id}/_history/2`), 410, 'deleted');
  });

  test.each(['PUT', 'PATCH', 'DELETE'])(
    'If-Match of %s: lists and both kinds of tags; garbage is 400',
    async (method) => {
      const made = await make();
      const call = (ifMatch: string): Promise<Answer> => {
        const headers = { 'if-match': ifMatch, ...(method === 'PATCH' && PATCH) };
        const body = method === 'PUT' ? { ...made, active: true } : '[{"op":"add","path":"/active","value":true}]';
        return callFhir(admin, method, `Patient/${made.id}`, { ...(method !== 'DELETE' && { body }), headers });
      };
      expectIssue(await call('garbage'), 400, 'invalid', 'if-match');
      expectIssue(await call('W/"9", "8"'), 412, 'processing');
      expect((await call('"9", W/"1"')).status).toBe(200);
    },
  );
});

describe('what is refused, and how', () => {
  test.each([
    ['application/xml-patch+xml', '<diff/>'],
    ['application/fhir+xml', '<Parameters/>'],
    ['application/merge-patch+json', '{}'],
  ])('a patch that is %s is 415 and says which there is', async (type, body) => {
    const { id } = await make();
    const answer = await callFhir(admin, 'PATCH', `Patient/${id}`, { body, headers: { 'content-type': type } });
    expectIssue(answer, 415, 'not-supported');
    expect(answer.headers.get('accept-patch')).toBe('application/json-patch+json, application/fhir+json');
  });

  test.each(['/id', '/resourceType', '/meta/versionId', '/meta/lastUpdated'])(
    'a patch cannot change %s',
    async (path) => {
      const { id } = await make();
      const answer = await patch(id, [{ op: 'add', path, value: 'x' }]);
      expect([answer.status, answer.body.resourceType]).toEqual([400, 'OperationOutcome']);
      expect((await callFhir(admin, 'GET', `Patient/${id}`)).headers.get('etag')).toBe('W/"1"');
    },
  );

  test.each([
    ['GET', 'Nothing', 404, 'not-supported'],
    ['GET', 'Nothing/1', 404, 'not-supported'],
    ['POST', 'Nothing/_search', 404, 'not-supported'],
    ['GET', 'patient', 404, 'not-supported'],
    ['GET', 'Patient/nosuch', 404, 'not-found'],
    ['GET', 'Patient/$nosuch', 404, 'not-supported'],
    ['POST', 'Patient/1/$nosuch', 404, 'not-supported'],
    ['POST', 'Patient/1/$deploy', 404, 'not-supported'],
    ['GET', 'Patient/$validate', 405, 'not-supported'],
    ['PATCH', '_history', 404, 'not-supported'],
    ['DELETE', 'metadata', 405, 'not-supported'],
    ['PUT', 'Patient/1/_history/1', 405, 'not-supported'],
    ['DELETE', 'AuditEvent/1', 405, 'not-supported'],
  ] as [string, string, number, string][])('%s %s is %i, %s', async (method, path, status, code) => {
    const body = method === 'PATCH' ? { body: '[]', headers: PATCH } : {};
    const answer = await callFhir(admin, method, path, body as Call);
    expectIssue(answer, status, code);
    if (status === 405) expect(answer.headers.get('allow')).toMatch(/[A-Z]/);
  });

  test('who is nobody is 401 with a challenge; codes tell one fault from another', async () => {
    const nobody = await callFhir(undefined, 'GET', 'Patient/1');
    expectIssue(nobody, 401, 'login');
    expect(nobody.headers.get('www-authenticate')).toMatch(/^Bearer realm=/);
    const limited = await project.member([{ resourceType: 'Patient', readonly: true }]);
    expectIssue(await callFhir(limited, 'POST', 'Patient', { body: PATIENT }), 403, 'forbidden');
    const codes: [object | string, string][] = [
      [{ resourceType: 'Observation', code: { text: 'x' } }, 'required'],
      [{ ...PATIENT, birthDate: 'soon' }, 'value'],
      [{ ...PATIENT, gender: 'm' }, 'code-invalid'],
      [{ ...PATIENT, nickname: 'x' }, 'structure'],
      ['{', 'structure'],
    ];
    for (const [body, code] of codes) {
      const type = typeof body === 'string' ? 'Patient' : (body as typeof PATIENT).resourceType;
      const answer = await callFhir(admin, 'POST', type, { body });
      expect([body, answer.status, answer.body.issue[0].code]).toEqual([body, 400, code]);
      if (typeof body === 'object') expect(answer.body.issue[0].expression[0]).toMatch(/^(?:Patient|Observation)/);
    }
  });

  test('where the caller may not look, reads, versions and histories are the same 404, and searches are empty', async () => {
    const made = await make();
    const limited = await project.member([{ resourceType: 'Patient', criteria: 'Patient?active=true' }]);
    for (const path of [made.id, `${made.id}/_history`, `${made.id}/_history/1`, 'nosuch', 'nosuch/_history/1']) {
      expectIssue(await callFhir(limited, 'GET', `Patient/${path}`), 404, 'not-found');
    }
    expect((await callFhir(limited, 'GET', `Patient?_id=${made.id}`)).body.entry).toBeUndefined();
    expectIssue(await callFhir(limited, 'GET', 'Observation/1'), 403, 'forbidden');
  });
});

describe('conditions', () => {
  test('of a delete, update and create are read percent-encoded or not', async () => {
    for (const query of ['identifier=urn:rules|a', 'identifier=urn%3Arules%7Ca']) {
      const body = { ...PATIENT, identifier: [{ system: 'urn:rules', value: 'a' }] };
      expect((await callFhir(admin, 'PUT', `Patient?${query}`, { body })).status).toBe(201);
      const again = await callFhir(admin, 'POST', 'Patient', {
        body,
        headers: { 'if-none-exist': `Patient?${query}` },
      });
      expect([again.status, again.headers.get('etag')]).toEqual([200, 'W/"1"']);
      expect((await callFhir(admin, 'DELETE', `Patient?${query}`)).status).toBe(200);
      expect((await callFhir(admin, 'GET', `Patient?${query}`)).body.entry).toBeUndefined();
    }
  });
});

test('links, Location and fullUrl stand on the public base, whatever Host was asked', async () => {
  const headers = { host: 'internal.example', 'x-forwarded-host': 'evil.example' };
  const made = await callFhir(admin, 'POST', 'Patient', { body: PATIENT, headers });
  expect(made.headers.get('location')).toBe(`${FHIR_BASE}/Patient/${made.body.id}/_history/1`);
  for (const path of [`Patient?_id=${made.body.id}`, 'Patient/_history', '_history']) {
    const { body } = await callFhir(admin, 'GET', path, { headers });
    for (const { url } of body.link) expect(url.startsWith(FHIR_BASE)).toBe(true);
    for (const { fullUrl } of body.entry) expect(fullUrl.startsWith(FHIR_BASE)).toBe(true);
  }
});
