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

describe('patch', () => {
  const patch = (id: string, body: unknown, headers: Record<string, string> = {}) =>
    callFhir(admin, 'PATCH', `Patient/${id}`, {
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json-patch+json', ...headers },
    });

  test('changes what the operations say and nothing else', async () => {
    const { id } = await makePatient();
    const answer = await patch(id, [
      { op: 'test', path: '/name/0/family', value: 'Kreiger' },
      { op: 'add', path: '/active', value: true },
    ]);
    expect([answer.status, answer.headers.get('etag')]).toEqual([200, 'W/"2"']);
    expect(answer.body).toMatchObject({ ...PATIENT, active: true });
  });

  test.each([
    ['a failing test', [{ op: 'test', path: '/name/0/family', value: 'X' }], 412],
    ['a pointer to nowhere', [{ op: 'remove', path: '/photo/0' }], 400],
    ['an invalid result', [{ op: 'add', path: '/gender', value: 'm' }], 400],
    ['another id', [{ op: 'replace', path: '/id', value: 'x' }], 400],
    ['another type', [{ op: 'replace', path: '/resourceType', value: 'Bot' }], 400],
    ['a prototype', [{ op: 'add', path: '/__proto__/x', value: 1 }], 400],
    ['no patch', { active: true }, 400],
  ])('%s is refused whole', async (_, operations, status) => {
    const made = await makePatient();
    const answer = await patch(
      made.id,
      Array.isArray(operations) ? [{ op: 'add', path: '/active', value: true }, ...operations] : operations,
    );
    expect(answer.status, answer.text).toBe(status);
    expect(answer.body.resourceType).toBe('OperationOutcome');
    expect((await callFhir(admin, 'GET', `Patient/${made.id}`)).headers.get('etag')).toBe('W/"1"');
  });

  test('412 for another version, 410 for a deleted one, 404 for an unknown one, 415 for XML Patch', async () => {
    const { id } = await makePatient();
    const operations = [{ op: 'add', path: '/active', value: true }];
    expectIssue(await patch(id, operations, { 'if-match': 'W/"2"' }), 412, 'processing');
    expectIssue(await patch(id, operations, { 'content-type': 'application/xml-patch+xml' }), 415, 'not-supported');
    expectIssue(await patch('unknown', operations), 404, 'not-found');
    await callFhir(admin, 'DELETE', `Patient/${id}`);
    expectIssue(await patch(id, operations), 410, 'deleted');
  });

  test('twenty at once are all applied', async () => {
    const { id } = await makePatient();
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        patch(id, [{ op: 'add', path: '/name/-', value: { family: `F${index}` } }]),
      ),
    );
    const read = await callFhir(admin, 'GET', `Patient/${id}`);
    expect([read.body.name.length, read.headers.get('etag')]).toEqual([21, 'W/"21"']);
  });

  test('with a condition: one is patched, none is 404', async () => {
    const body = JSON.stringify([{ op: 'add', path: '/active', value: true }]);
    const headers = { 'content-type': 'application/json-patch+json' };
    const { id } = await makePatient({ ...PATIENT, identifier: [{ value: 'patch-me' }] });
    const answer = await callFhir(admin, 'PATCH', 'Patient?identifier=patch-me', { body, headers });
    expect([answer.status, answer.body.id, answer.body.active]).toEqual([200, id, true]);
    expectIssue(await callFhir(admin, 'PATCH', 'Patient?identifier=nobody', { body, headers }), 404, 'not-found');
  });
});

describe('delete', () => {
  test('is idempotent', async () => {
    const { id } = await makePatient();
    for (const target of [id, id, 'unknown']) {
      const answer = await callFhir(admin, 'DELETE', `Patient/${target}`);
      expect([answer.status, answer.body.issue[0].severity]).toEqual([200, 'information']);
    }
    const { total } = (await callFhir(admin, 'GET', `Patient/${id}/_history`)).body;
    expect(total).toBe(2);
  });

  test('412 for another version', async () => {
    const { id } = await makePatient();
    const answer = await callFhir(admin, 'DELETE', `Patient/${id}`, { headers: { 'if-match': 'W/"2"' } });
    expectIssue(answer, 412, 'processing');
    expect((await callFhir(admin, 'GET', `Patient/${id}`)).status).toBe(200);
  });

  test('with a condition: one goes, none is fine, several stay, no criteria is 412', async () => {
    const make = () => makePatient({ ...PATIENT, identifier: [{ value: 'delete-me' }] });
    const remove = (query: string) => callFhir(admin, 'DELETE', `Patient${query}`);
    const { id } = await make();
    expect((await remove('?identifier=delete-me')).status).toBe(200);
    expect((await callFhir(admin, 'GET', `Patient/${id}`)).status).toBe(410);
    expect((await remove('?identifier=delete-me')).status).toBe(200);
    await make();
    await make();
    expectIssue(await remove('?identifier=delete-me'), 412, 'multiple-matches');
    expectIssue(await remove(''), 412, 'processing');
  });
});

test('a DELETE by a condition is held to the version that it names, by itself and in a batch', async () => {
  const identifier = [{ system: 'urn:held', value: 'x' }];
  const { id } = await makePatient({ ...PATIENT, identifier });
  const path = 'Patient?identifier=urn:held|x';
  const remove = (ifMatch: string) => callFhir(admin, 'DELETE', path, { headers: { 'if-match': ifMatch } });
  expectIssue(await remove('W/"9"'), 412, 'processing');
  expectIssue(await remove('garbage'), 400, 'invalid', 'if-match');
  const entry = [{ request: { method: 'DELETE', url: path, ifMatch: 'W/"9"' } }];
  const batch = await callFhir(admin, 'POST', '', { body: { resourceType: 'Bundle', type: 'batch', entry } });
  expect(batch.body.entry[0].response.status).toMatch(/^412/);
  expect((await callFhir(admin, 'GET', `Patient/${id}`)).status).toBe(200);
  expect((await remove('W/"1"')).status).toBe(200);
  expect((await callFhir(admin, 'GET', `Patient/${id}`)).status).toBe(410);
});
