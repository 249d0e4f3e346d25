import { CapabilityTool, Client, type FhirResource } from 'fhir-kit-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeFhirProject } from '../fhir-project.ts';
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
    expect(['history-system'].map((code) => tool.serverCan(code))).toEqual([true]);
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
