import { beforeAll, describe, expect, test } from 'vitest';
import type { Answer } from '#lib/testing/call-api.ts';
import { callFhir, expectIssue } from '#lib/testing/fhir/call-fhir.ts';
import { type Caller, makeFhirProject } from '#lib/testing/fhir/fhir-project.ts';

let admin: Caller;

beforeAll(async () => {
  admin = (await makeFhirProject()).admin;
});

const PATIENT = { resourceType: 'Patient', name: [{ family: 'Kreiger' }] };

async function makePatient(body: object = PATIENT): Promise<Answer['body']> {
  return (await callFhir(admin, 'POST', 'Patient', { body })).body;
}

describe('update', () => {
  test('200 with the next version; what changes nothing keeps the version', async () => {
    const made = await makePatient();
    const first = await callFhir(admin, 'PUT', `Patient/${made.id}`, { body: { ...made, active: true } });
    expect([first.status, first.headers.get('etag'), first.headers.get('location')]).toEqual([200, 'W/"2"', null]);
    const again = await callFhir(admin, 'PUT', `Patient/${made.id}`, { body: { active: true, ...first.body } });
    expect([again.status, again.headers.get('etag')]).toEqual([200, 'W/"2"']);
    expect(Date.parse(first.body.meta.lastUpdated)).toBeGreaterThan(Date.parse(made.meta.lastUpdated));
  });

  test('400 when the ids differ or the body has none, 404 for an unknown id, 422 for a resource that was cut down', async () => {
    const { id, ...rest } = await makePatient();
    const put = (body: object, target = id) => callFhir(admin, 'PUT', `Patient/${target}`, { body });
    expectIssue(await put(rest), 400, 'invalid', 'Patient.id');
    expectIssue(await put({ ...rest, id: 'other' }), 400, 'invalid', 'Patient.id');
    expectIssue(await put({ ...rest, id: 'unknown' }, 'unknown'), 404, 'not-found');
    const cut = (await callFhir(admin, 'GET', `Patient?_id=${id}&_elements=name`)).body.entry[0].resource;
    expectIssue(await put(cut), 422, 'business-rule', 'Patient.meta.tag');
  });

  test.each([
    ['if-match', 'W/"1"', 200],
    ['if-match', '"1"', 200],
    ['if-match', '*', 200],
    ['if-match', 'W/"2"', 412],
    ['if-match', 'W/"abc"', 412],
    ['if-match', '1', 400],
    ['if-none-match', '*', 412],
  ])('%s: %s answers %i', async (name, value, status) => {
    const made = await makePatient();
    const call = { body: { ...made, active: true }, headers: { [name]: value } };
    expect((await callFhir(admin, 'PUT', `Patient/${made.id}`, call)).status).toBe(status);
  });

  test('of two with the same If-Match one wins, the other is told', async () => {
    const made = await makePatient();
    const headers = { 'if-match': 'W/"1"' };
    const answers = await Promise.all(
      ['male', 'female'].map((gender) =>
        callFhir(admin, 'PUT', `Patient/${made.id}`, { body: { ...made, gender }, headers }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412]);
  });

  test('thirty at once on one resource all succeed, and no version is lost', async () => {
    const made = await makePatient();
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        callFhir(admin, 'PUT', `Patient/${made.id}`, { body: { ...made, name: [{ family: `F${index}` }] } }),
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const history = await callFhir(admin, 'GET', `Patient/${made.id}/_history?_count=100`);
    const versions = history.body.entry.map((entry: { resource: typeof made }) =>
      Number(entry.resource.meta.versionId),
    );
    expect(versions).toEqual(Array.from({ length: 31 }, (_, index) => 31 - index));
  });

  test('a deleted one comes back with a higher version', async () => {
    const made = await makePatient();
    await callFhir(admin, 'DELETE', `Patient/${made.id}`);
    const back = await callFhir(admin, 'PUT', `Patient/${made.id}`, { body: made });
    expect([back.status, back.headers.get('etag')]).toEqual([201, 'W/"3"']);
    expect((await callFhir(admin, 'GET', `Patient/${made.id}`)).status).toBe(200);
  });

  test('with a condition: none creates, one updates, several are 412, another id is 400', async () => {
    const put = (query: string, body: object) => callFhir(admin, 'PUT', `Patient?${query}`, { body });
    const body = { ...PATIENT, identifier: [{ system: 'urn:c', value: '1' }] };
    const made = await put('identifier=urn:c|1', body);
    expect(made.status).toBe(201);
    const updated = await put('identifier=urn:c%7C1', { ...body, active: true });
    expect([updated.status, updated.body.id, updated.headers.get('etag')]).toEqual([200, made.body.id, 'W/"2"']);
    expect((await put('identifier=urn:c|1', { ...body, active: true })).headers.get('etag')).toBe('W/"2"');
    expectIssue(await put('identifier=urn:c|1', { ...body, id: 'other' }), 400, 'invalid', 'Patient.id');
    expectIssue(await put('identifier=urn:c|none', { ...body, id: 'other' }), 400, 'invalid', 'Patient.id');
    await makePatient(body);
    expectIssue(await put('identifier=urn:c|1', body), 412, 'multiple-matches');
    expectIssue(await put('', body), 412, 'processing');
  });
});
