import { beforeAll, describe, expect, test } from 'vitest';
import type { Answer } from '#lib/testing/call-api.ts';
import { callFhir } from '#lib/testing/fhir/call-fhir.ts';
import { type Caller, type FhirProject, makeFhirProject } from '#lib/testing/fhir/fhir-project.ts';

type Body = Answer['body'];

let project: FhirProject;
let admin: Caller;
/** Sees and changes female patients, only reads practitioners, and knows of nothing else. */
let limited: Caller;
let her: Body;
let him: Body;

beforeAll(async () => {
  project = await makeFhirProject();
  admin = project.admin;
  limited = await project.member([
    { resourceType: 'Patient', criteria: 'Patient?gender=female' },
    { resourceType: 'Practitioner', readonly: true },
  ]);
  her = (await callFhir(admin, 'POST', 'Patient', { body: { resourceType: 'Patient', gender: 'female' } })).body;
  him = (await callFhir(admin, 'POST', 'Patient', { body: { resourceType: 'Patient', gender: 'male' } })).body;
});

const statusOf = async (method: string, path: string, body?: object) =>
  (await callFhir(limited, method, path, { body })).status;
const patch = (id: string, value: string) =>
  callFhir(limited, 'PATCH', `Patient/${id}`, {
    body: JSON.stringify([{ op: 'replace', path: '/gender', value }]),
    headers: { 'content-type': 'application/json-patch+json' },
  });

describe('a type that no rule speaks of', () => {
  test.each([
    ['GET', 'Observation'],
    ['GET', 'Observation/1'],
    ['GET', 'Observation/1/_history'],
    ['GET', 'Observation/1/_history/1'],
    ['DELETE', 'Observation/1'],
    ['POST', 'Observation/_search'],
    ['GET', 'Login'],
    ['GET', 'JsonWebKey/1'],
    ['GET', 'AccessPolicy'],
    ['GET', 'User'],
    ['GET', 'Project'],
  ])('%s %s is 403', async (method, path) => expect(await statusOf(method, path)).toBe(403));

  test('is closed to writes too', async () => {
    const body = { resourceType: 'Observation', id: '1', status: 'final', code: { text: 'x' } };
    expect(await statusOf('POST', 'Observation', body)).toBe(403);
    expect(await statusOf('PUT', 'Observation/1', body)).toBe(403);
  });
});

describe('what the criteria leave out', () => {
  test('is 404 for every interaction, and absent from a search and its total', async () => {
    expect(await statusOf('GET', `Patient/${him.id}`)).toBe(404);
    expect(await statusOf('GET', `Patient/${him.id}/_history`)).toBe(404);
    expect(await statusOf('GET', `Patient/${him.id}/_history/1`)).toBe(404);
    expect(await statusOf('PUT', `Patient/${him.id}`, { ...him, active: true })).toBe(404);
    expect((await patch(him.id, 'female')).status).toBe(404);
    expect(await statusOf('DELETE', `Patient/${him.id}`)).toBe(200);
    expect((await callFhir(admin, 'GET', `Patient/${him.id}`)).headers.get('etag')).toBe('W/"1"');
    const { body } = await callFhir(limited, 'GET', 'Patient?gender:missing=false&_total=accurate');
    expect([body.total, body.entry.length]).toEqual([1, 1]);
    expect(body.entry[0].resource.id).toBe(her.id);
  });

  test('cannot be created, and nothing can be moved there', async () => {
    expect(await statusOf('POST', 'Patient', { resourceType: 'Patient', gender: 'male' })).toBe(403);
    expect(await statusOf('POST', 'Patient', { resourceType: 'Patient' })).toBe(403);
    expect(await statusOf('PUT', `Patient/${her.id}`, { ...her, gender: 'male' })).toBe(403);
    expect((await patch(her.id, 'male')).status).toBe(403);
    expect((await callFhir(admin, 'GET', `Patient/${her.id}`)).body.gender).toBe('female');
  });

  test('who may not write the type learns so whatever was sent', async () => {
    const reader = await project.member([{ resourceType: 'Patient', readonly: true }]);
    const text = '{"resourceType":';
    const broken = { body: text, headers: { 'content-type': 'application/fhir+json' } };
    for (const [method, path] of [
      ['POST', 'Patient'],
      ['PUT', `Patient/${her.id}`],
      ['PUT', 'Patient?gender=female'],
      ['PATCH', `Patient/${her.id}`],
      ['PATCH', 'Patient?gender=female'],
    ] as const) {
      expect([method, (await callFhir(reader, method, path, broken)).status]).toEqual([method, 403]);
      expect([method, (await callFhir(limited, method, path, broken)).status]).not.toEqual([method, 403]);
    }
  });

  test('stays out of sight when it is deleted', async () => {
    const gone = (await callFhir(admin, 'POST', 'Patient', { body: { resourceType: 'Patient', gender: 'male' } })).body;
    await callFhir(admin, 'DELETE', `Patient/${gone.id}`);
    expect(await statusOf('GET', `Patient/${gone.id}`)).toBe(404);
    expect(await statusOf('GET', `Patient/${gone.id}/_history`)).toBe(404);
    expect(await statusOf('PUT', `Patient/${gone.id}`, { ...gone, gender: 'female' })).toBe(404);
  });

  test('older versions that were out of reach are not shown', async () => {
    const made = (await callFhir(admin, 'POST', 'Patient', { body: { resourceType: 'Patient', gender: 'male' } })).body;
    await callFhir(admin, 'PUT', `Patient/${made.id}`, { body: { ...made, gender: 'female' } });
    expect(await statusOf('GET', `Patient/${made.id}`)).toBe(200);
    expect(await statusOf('GET', `Patient/${made.id}/_history/2`)).toBe(200);
    expect(await statusOf('GET', `Patient/${made.id}/_history/1`)).toBe(404);
    const { body } = await callFhir(limited, 'GET', `Patient/${made.id}/_history`);
    expect(body.entry.map((entry: Body) => entry.resource.meta.versionId)).toEqual(['2']);
    // How many there are in all is not theirs to know.
    expect(body.total).toBeUndefined();
    // Nor by a link: pages are of what is within reach.
    const next = (page: Body) => page.link.find((link: Body) => link.relation === 'next')?.url;
    const first = (await callFhir(limited, 'GET', `Patient/${made.id}/_history?_count=1`)).body;
    expect([first.entry.length, next(first)]).toEqual([1, undefined]);
    for (const gender of ['male', 'female'])
      await callFhir(admin, 'PUT', `Patient/${made.id}`, { body: { ...made, gender } });
    const newest = (await callFhir(limited, 'GET', `Patient/${made.id}/_history?_count=1`)).body;
    const older = (await callFhir(limited, 'GET', `Patient/${made.id}/_history?_count=1&_offset=1`)).body;
    const versions = [newest, older].map((page) => page.entry[0].resource.meta.versionId);
    expect([versions, next(newest), next(older)]).toEqual([
      ['4', '2'],
      expect.stringContaining('_cursor=4'),
      undefined,
    ]);
  });
});

test('what lies within reach can be read, changed and deleted', async () => {
  const made = (await callFhir(limited, 'POST', 'Patient', { body: { resourceType: 'Patient', gender: 'female' } }))
    .body;
  expect(await statusOf('PUT', `Patient/${made.id}`, { ...made, active: true })).toBe(200);
  expect(await statusOf('DELETE', `Patient/${made.id}`)).toBe(200);
  expect(await statusOf('GET', `Patient/${made.id}`)).toBe(410);
});

describe('a condition', () => {
  const writes: [string, (caller: Caller, query: string) => Promise<Answer>][] = [
    ['PUT', (caller, query) => callFhir(caller, 'PUT', query, { body: { resourceType: 'Patient', gender: 'female' } })],
    [
      'PATCH',
      (caller, query) =>
        callFhir(caller, 'PATCH', query, {
          body: [{ op: 'add', path: '/active', value: true }],
          headers: { 'content-type': 'application/json-patch+json' },
        }),
    ],
    ['DELETE', (caller, query) => callFhir(caller, 'DELETE', query)],
  ];
  test.each(writes)('of %s tells nothing of what is out of reach', async (_method, attempt) => {
    for (const value of ['one', 'two', 'two']) {
      const body = { resourceType: 'Patient', gender: 'male', identifier: [{ system: 'urn:unseen', value }] };
      await callFhir(admin, 'POST', 'Patient', { body });
    }
    const told = async (value: string) => {
      const { status, text } = await attempt(limited, `Patient?identifier=urn:unseen|${value}`);
      return [status, text.replace(/"id":"[^"]+"|"versionId":"[^"]+"|"lastUpdated":"[^"]+"/g, '')];
    };
    const nobody = await told('nobody');
    expect([await told('one'), await told('two')]).toEqual([nobody, nobody]);
  });

  test.each(writes)(
    'of %s on a type that may not be written so is 403 before anything is looked for',
    async (_method, attempt) => {
      const reader = await project.member([{ resourceType: 'Patient', interaction: ['read', 'search'] }]);
      expect((await attempt(reader, `Patient?_id=${him.id}`)).status).toBe(403);
      expect((await attempt(reader, 'Patient?_id=nobody')).status).toBe(403);
      const blind = await project.member([{ resourceType: 'Patient', interaction: ['create', 'update', 'delete'] }]);
      expect((await attempt(blind, `Patient?_id=${him.id}`)).status).toBe(403);
    },
  );
});

test('what the platform says of a resource opens nothing to a member who sends it', async () => {
  const patient = `Patient/${her.id}`;
  const nurse = await project.member([
    { resourceType: 'Observation', criteria: `Observation?_compartment=${patient}` },
  ]);
  const meta = {
    account: { reference: patient },
    accounts: [{ reference: patient }],
    compartment: [{ reference: patient }],
  };
  const observation = (subject: string) => ({
    resourceType: 'Observation',
    status: 'final',
    code: { text: 'x' },
    subject: { reference: subject },
  });
  const create = (caller: Caller, subject: string) =>
    callFhir(caller, 'POST', 'Observation', { body: { ...observation(subject), ...(caller === nurse && { meta }) } });
  expect((await create(nurse, `Patient/${him.id}`)).status).toBe(403);
  const hers = (await create(nurse, patient)).body;
  const moved = { ...observation(`Patient/${him.id}`), id: hers.id, meta };
  expect((await callFhir(nurse, 'PUT', `Observation/${hers.id}`, { body: moved })).status).toBe(403);
  const add = [
    { op: 'replace', path: '/subject/reference', value: `Patient/${him.id}` },
    { op: 'add', path: '/meta/account', value: meta.account },
  ];
  const headers = { 'content-type': 'application/json-patch+json' };
  expect((await callFhir(nurse, 'PATCH', `Observation/${hers.id}`, { body: add, headers })).status).toBe(403);
  const his = (await create(admin, `Patient/${him.id}`)).body;
  expect((await callFhir(nurse, 'GET', `Observation/${his.id}`)).status).toBe(404);
  expect((await callFhir(admin, 'GET', `Observation?_compartment=${patient}`)).body.entry.length).toBe(1);
});

test('a delete by condition of what may not be deleted is refused and leaves it', async () => {
  const finder = await project.member([
    { resourceType: 'Patient', interaction: ['search'] },
    { resourceType: 'Patient', criteria: 'Patient?gender=female', interaction: ['delete'] },
  ]);
  expect((await callFhir(finder, 'DELETE', `Patient?_id=${him.id}`)).status).toBe(200);
  expect((await callFhir(admin, 'GET', `Patient/${him.id}`)).status).toBe(200);
  expect((await callFhir(finder, 'DELETE', `Patient/${him.id}`)).status).toBe(200);
  expect((await callFhir(admin, 'GET', `Patient/${him.id}`)).status).toBe(200);
});

test('what is read-only is 403 to change, whether it exists or not', async () => {
  const doctor = (await callFhir(admin, 'POST', 'Practitioner', { body: { resourceType: 'Practitioner' } })).body;
  expect(await statusOf('GET', `Practitioner/${doctor.id}`)).toBe(200);
  expect(await statusOf('PUT', `Practitioner/${doctor.id}`, { ...doctor, active: true })).toBe(403);
  expect(await statusOf('DELETE', `Practitioner/${doctor.id}`)).toBe(403);
  expect(await statusOf('DELETE', 'Practitioner/unknown')).toBe(403);
  expect(await statusOf('POST', 'Practitioner', { resourceType: 'Practitioner' })).toBe(403);
});

test('a rule for everything reaches no administrator’s type and writes no program', async () => {
  const member = await project.member([{ resourceType: '*' }]);
  for (const type of ['Project', 'ProjectMembership', 'User', 'AccessPolicy', 'UserSecurityRequest', 'Login']) {
    expect((await callFhir(member, 'GET', type)).status, type).toBe(403);
  }
  expect((await callFhir(member, 'GET', 'Bot')).status).toBe(200);
  expect((await callFhir(member, 'POST', 'Bot', { body: { resourceType: 'Bot', name: 'x' } })).status).toBe(403);
  const client = { resourceType: 'ClientApplication', name: 'x' };
  expect((await callFhir(member, 'POST', 'ClientApplication', { body: client })).status).toBe(403);
});

test('a policy that says what the engine cannot judge grants nothing', async () => {
  const member = await project.member([
    { resourceType: 'Patient', hiddenFields: ['nosuch'] },
    { resourceType: 'Patient' },
  ]);
  expect((await callFhir(member, 'GET', 'Patient')).status).toBe(403);
});

test('what everybody reads whom no rule tells otherwise is closed to whom a rule told so that cannot be judged', async () => {
  for (const type of ['StructureDefinition', 'SearchParameter']) {
    const open = await project.member([{ resourceType: 'Patient' }]);
    expect((await callFhir(open, 'GET', type)).status, type).toBe(200);
    for (const broken of [{ criteria: `${type}?nosuch=1` }, { hiddenFields: ['url'] }]) {
      const member = await project.member([{ resourceType: type, ...broken }]);
      expect((await callFhir(member, 'GET', type)).status, type).toBe(403);
    }
  }
});
