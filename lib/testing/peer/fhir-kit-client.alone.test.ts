import { CapabilityTool, Client, type FhirResource } from 'fhir-kit-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeFhirProject } from '../fhir/fhir-project.ts';
import { type PeerApi, startApi } from './start-api.ts';

/** Vermonster's client for FHIR, unmodified, against the API in its own process. */
let api: PeerApi;
let client: Client;

beforeAll(async () => {
  api = await startApi();
  const { admin } = await makeFhirProject();
  client = new Client({ baseUrl: `${api.baseUrl}/fhir/R4`, customHeaders: { authorization: admin.authorization } });
}, 60_000);
afterAll(() => api?.stop());

type Found = FhirResource & {
  id: string;
  meta: { versionId: string };
  total?: number;
  /** A deletion has none. */
  entry?: { resource?: Found }[];
  link: { relation: string; url: string }[];
};
const resourceType = 'Patient';
const create = (family: string, more: object = {}) =>
  client.create({ resourceType, body: { resourceType, name: [{ family }], ...more } }) as Promise<Found>;
const observationOf = ({ id }: { id: string }) => ({
  resourceType: 'Observation',
  status: 'final',
  code: { coding: [{ system: 'urn:kit', code: 'seen' }] },
  subject: { reference: `Patient/${id}` },
});
const idsOf = (bundle: FhirResource | undefined) => (bundle as Found).entry?.map(({ resource }) => resource?.id);
const statusOf = async (call: Promise<unknown>) =>
  call.then(
    () => 'no error',
    (error: { response: { status: number; data: FhirResource } }) => [
      error.response.status,
      error.response.data.resourceType,
    ],
  );

describe('what the server says of itself', () => {
  it('where apps sign in', async () => {
    const { authorizeUrl, tokenUrl } = await client.smartAuthMetadata();
    expect([authorizeUrl?.pathname, tokenUrl?.pathname]).toEqual(['/oauth2/authorize', '/oauth2/token']);
  });

  it('what it can do, as the tool of the client reads it', async () => {
    const tool = new CapabilityTool(await client.capabilityStatement());
    const system = ['transaction', 'batch', 'search-system', 'history-system'];
    expect(system.filter((code) => !tool.serverCan(code))).toEqual([]);
    const codes = ['read', 'vread', 'create', 'update', 'patch', 'delete', 'search-type', 'history-type'];
    expect(codes.filter((code) => !tool.resourceCan(resourceType, code))).toEqual([]);
    expect(tool.resourceSearch(resourceType, 'birthdate')).toBe(true);
  });
});

describe('one resource', () => {
  it('is created, read, read as it was, changed, patched, deleted', async () => {
    const made = await create('Kit');
    expect(Client.httpFor(made).response?.status).toBe(201);
    expect(await client.read({ resourceType, id: made.id })).toMatchObject({ name: [{ family: 'Kit' }] });
    const body = { ...made, active: true };
    expect(await client.update({ resourceType, id: made.id, body })).toMatchObject({ meta: { versionId: '2' } });
    const jsonPatch = [{ op: 'replace' as const, path: '/active', value: false }];
    expect(await client.patch({ resourceType, id: made.id, jsonPatch })).toMatchObject({ active: false });
    const first = await client.vread({ resourceType, id: made.id, version: '1' });
    expect(first.active).toBeUndefined();
    await client.delete({ resourceType, id: made.id });
    expect(await statusOf(client.read({ resourceType, id: made.id }))).toEqual([410, 'OperationOutcome']);
  });

  it('is updated by a condition', async () => {
    const searchParams = { identifier: 'urn:kit|1' };
    const body = { resourceType, identifier: [{ system: 'urn:kit', value: '1' }] };
    const made = (await client.update({ resourceType, searchParams, body })) as Found;
    const again = await client.update({ resourceType, searchParams, body: { ...body, active: true } });
    expect(again).toMatchObject({ id: made.id, meta: { versionId: '2' } });
  });

  it('that is wrong is told of with an outcome', async () => {
    const body = { resourceType, birthDate: 'soon' };
    expect(await statusOf(client.create({ resourceType, body }))).toEqual([400, 'OperationOutcome']);
  });
});

describe('searches', () => {
  it('by GET and POST, page by page, there and back', async () => {
    const made = [];
    for (let at = 0; at < 3; at += 1) made.push((await create('Pages')).id);
    const searchParams = { family: 'Pages', _count: 2, _sort: '_lastUpdated' };
    expect(idsOf(await client.search({ resourceType, searchParams }))).toEqual(made.slice(0, 2));
    const options = { postSearch: true };
    expect(idsOf(await client.resourceSearch({ resourceType, searchParams, options }))).toEqual(made.slice(0, 2));
    const first = (await client.resourceSearch({
      resourceType,
      searchParams: { ...searchParams, _offset: 0 },
    })) as Found;
    const second = (await client.nextPage({ bundle: first })) as Found;
    expect(idsOf(second)).toEqual(made.slice(2));
    expect(idsOf(await client.prevPage({ bundle: second }))).toEqual(made.slice(0, 2));
    expect(client.nextPage({ bundle: second })).toBeUndefined();
  });
});

describe('searches over references', () => {
  it('chains, _has, over types, in a compartment', async () => {
    const patient = await create('Chained');
    const observation = (await client.create({ resourceType: 'Observation', body: observationOf(patient) })) as Found;
    const chain = { 'patient:Patient.family': 'chained', code: 'urn:kit|seen' };
    expect(idsOf(await client.search({ resourceType: 'Observation', searchParams: chain }))).toEqual([observation.id]);
    const has = { family: 'chained', '_has:Observation:patient:code': 'urn:kit|seen' };
    for (const options of [{}, { postSearch: true }]) {
      expect(idsOf(await client.resourceSearch({ resourceType, searchParams: has, options }))).toEqual([patient.id]);
    }
    const both = [observation.id, patient.id];
    const searchParams = { _type: 'Patient,Observation', _id: both.join() };
    expect(idsOf(await client.systemSearch({ searchParams }))?.sort()).toEqual(both.toSorted());
    expect(idsOf(await client.search({ searchParams }))?.sort()).toEqual(both.toSorted());
    expect(idsOf(await client.systemSearch({ searchParams, options: { postSearch: true } }))).toHaveLength(2);
    const compartment = { resourceType, id: patient.id };
    const within = { resourceType: 'Observation', compartment, searchParams: { status: 'final' } };
    expect(idsOf(await client.compartmentSearch(within))).toEqual([observation.id]);
    expect(idsOf(await client.search(within))).toEqual([observation.id]);
    expect(idsOf(await client.compartmentSearch({ ...within, options: { postSearch: true } }))).toEqual([
      observation.id,
    ]);
    expect(idsOf(await client.search({ ...within, searchParams: { status: 'amended' } }))).toBeUndefined();
  });
});

describe('bundles', () => {
  const fullUrl = 'urn:uuid:61ebe359-bfdc-4613-8bf2-c5e300945f0a';
  const entriesOf = (bundle: FhirResource) =>
    (bundle.entry as { response: { status: string }; resource?: Found & { subject: { reference: string } } }[]) ?? [];

  it('a transaction: names become references, and one wrong entry is none of them', async () => {
    const observation = { ...observationOf({ id: '' }), subject: { reference: fullUrl } };
    const entry = [
      { request: { method: 'POST', url: 'Observation' }, resource: observation },
      { fullUrl, request: { method: 'POST', url: 'Patient' }, resource: { resourceType, name: [{ family: 'Trans' }] } },
    ];
    const body = { resourceType: 'Bundle', type: 'transaction', entry };
    const [first, second] = entriesOf(await client.transaction({ body }));
    expect(first?.resource?.subject.reference).toBe(`Patient/${second?.resource?.id}`);
    const wrong = { request: { method: 'PUT', url: 'Patient/x' }, resource: { resourceType, birthDate: 'soon' } };
    const refused = { ...body, entry: [...entry, wrong] };
    expect(await statusOf(client.transaction({ body: refused }))).toEqual([400, 'OperationOutcome']);
    const left = await client.search({ resourceType, searchParams: { family: 'Trans' } });
    expect(idsOf(left)).toEqual([second?.resource?.id]);
  });

  it('a batch: each entry by itself', async () => {
    const entry = [
      { request: { method: 'GET', url: 'Patient/none' } },
      { request: { method: 'POST', url: 'Patient' }, resource: { resourceType } },
    ];
    const answered = await client.batch({ body: { resourceType: 'Bundle', type: 'batch', entry } });
    expect(entriesOf(answered).map(({ response }) => response.status)).toEqual(['404 Not Found', '201 Created']);
  });
});

describe('histories', () => {
  it('of one, of a type, of all', async () => {
    const made = await create('Past');
    await client.update({ resourceType, id: made.id, body: { ...made, active: true } });
    expect((await client.resourceHistory({ resourceType, id: made.id })).total).toBe(2);
    expect(await client.history({ resourceType, id: made.id })).toMatchObject({ type: 'history', total: 2 });
    for (const history of [
      await client.typeHistory({ resourceType }),
      await client.systemHistory(),
      await client.history({ resourceType }),
      await client.history(),
    ]) {
      expect(idsOf(history)?.slice(0, 2)).toEqual([made.id, made.id]);
    }
  });
});

describe('the rest', () => {
  it('references are followed: relative, absolute, contained, in a bundle', async () => {
    const made = await create('Referred');
    const relative = `Patient/${made.id}`;
    expect(await client.resolve({ reference: relative })).toMatchObject({ id: made.id });
    expect(await client.resolve({ reference: `${api.baseUrl}/fhir/R4/${relative}` })).toMatchObject({ id: made.id });
    const context = { resourceType, contained: [{ resourceType: 'Organization', id: 'o' }] };
    expect(await client.resolve({ reference: '#o', context })).toMatchObject({ id: 'o' });
    const bundle = await client.search({ resourceType, searchParams: { _id: made.id } });
    expect(await client.resolve({ reference: relative, context: bundle })).toMatchObject({ id: made.id });
  });

  it('$everything of a patient, page by page', async () => {
    const patient = await create('Everything');
    const body = observationOf(patient);
    const observation = (await client.create({ resourceType: 'Observation', body })) as Found;
    const all = [patient.id, observation.id].sort();
    const asked = { name: 'everything', resourceType, id: patient.id };
    expect(idsOf(await client.operation({ ...asked, method: 'GET' }))?.sort()).toEqual(all);
    const input = { resourceType: 'Parameters', parameter: [{ name: '_type', valueCode: 'Observation' }] };
    expect(idsOf(await client.operation({ ...asked, input }))).toEqual([observation.id]);
    const first = (await client.operation({ ...asked, method: 'GET', input: { _count: 1 } })) as Found;
    const second = (await client.nextPage({ bundle: first })) as Found;
    expect([idsOf(first), idsOf(second)].flat().sort()).toEqual(all);
  });

  it('$validate, by type and of one that is kept', async () => {
    const kept = await create('Valid');
    const asked = { name: 'validate', resourceType };
    const changed = { ...kept, active: true };
    expect(await client.operation({ ...asked, id: kept.id, input: changed })).toMatchObject({
      issue: [{ severity: 'information' }, { severity: 'warning' }],
    });
    const parameter = [{ name: 'resource', resource: { resourceType, gender: 'nobody' } }];
    const outcome = await client.operation({ ...asked, input: { resourceType: 'Parameters', parameter } });
    expect(outcome).toMatchObject({ issue: [{ severity: 'error', expression: ['Patient.gender'] }] });
  });

  it('operations and requests of any kind', async () => {
    const input = { resourceType, birthDate: 'soon' };
    const outcome = await client.operation({ name: 'validate', resourceType, input });
    expect(outcome).toMatchObject({ resourceType: 'OperationOutcome', issue: [{ severity: 'error' }] });
    const made = await create('Raw');
    expect(await client.request(`Patient/${made.id}`)).toMatchObject({ id: made.id });
    // Of a body that it is given raw, the client says nothing.
    const options = { headers: { 'content-type': 'application/fhir+json' } };
    const posted = await client.request('Patient', { method: 'POST', body: { resourceType }, options });
    expect(posted).toMatchObject({ resourceType });
  });
});
