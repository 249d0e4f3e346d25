import makeClient, { type Bundle, type FhirJs } from 'fhir.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeFhirProject } from '../fhir/fhir-project.ts';
import { type PeerApi, startApi } from './start-api.ts';

/**
 * HL7's own client for FHIR, unmodified, against the API in its own process: all that it calls, but what only DSTU2 and before had
 * (every-call.test.ts).
 */
let api: PeerApi;
let client: FhirJs;

beforeAll(async () => {
  api = await startApi();
  const { admin } = await makeFhirProject();
  const [user = '', pass = ''] = Buffer.from(admin.authorization.replace('Basic ', ''), 'base64').toString().split(':');
  client = makeClient({ baseUrl: `${api.baseUrl}/fhir/R4`, auth: { user, pass } });
}, 60_000);
afterAll(() => api?.stop());

const type = 'Patient';
const make = async (family: string, more: object = {}) =>
  (await client.create({ resource: { resourceType: type, name: [{ family }], ...more } })).data;
const idsOf = ({ entry }: Bundle) => entry?.map(({ resource }) => resource?.id);

it('reads what the server says of itself', async () => {
  const { data } = await client.conformance<{ resourceType: string; fhirVersion: string }>({});
  expect([data.resourceType, data.fhirVersion]).toEqual(['CapabilityStatement', '4.0.1']);
});

describe('one resource', () => {
  it('is created, read, read as it was, changed, patched, deleted', async () => {
    const made = await make('Js');
    expect((await client.read({ type, id: made.id })).data).toMatchObject({ name: [{ family: 'Js' }] });
    const changed = await client.update({ resource: { ...made, active: true } });
    expect(changed.data).toMatchObject({ active: true, meta: { versionId: '2' } });
    const data = [{ op: 'replace', path: '/active', value: false }];
    expect((await client.patch({ type, id: made.id, data })).data).toMatchObject({ active: false });
    const first = await client.vread({ type, id: made.id, versionId: '1' });
    expect(first.data.active).toBeUndefined();
    const { total } = (await client.resourceHistory<Bundle>({ type, id: made.id })).data;
    expect(total).toBe(3);
    expect((await client.delete({ type, id: made.id })).status).toBe(200);
    await expect(client.read({ type, id: made.id })).rejects.toMatchObject({ status: 410 });
  });

  it('is updated and deleted by a condition', async () => {
    const resource = { resourceType: type, identifier: [{ system: 'urn:js', value: '1' }] };
    const condition = { type, query: { identifier: 'urn:js|1' } };
    const made = (await client.conditionalUpdate({ ...condition, resource })).data;
    const again = (await client.conditionalUpdate({ ...condition, resource: { ...resource, active: true } })).data;
    expect([again.id, again.meta.versionId]).toEqual([made.id, '2']);
    await client.conditionalDelete(condition);
    await expect(client.read({ type, id: made.id })).rejects.toMatchObject({ status: 410 });
  });

  it('is found by a reference to it', async () => {
    const { id } = await make('Referred');
    const found = await client.resolve({ reference: { reference: `${type}/${id}` } });
    expect(found.data).toMatchObject({ id });
  });

  it('gets a tag, shows it, loses it', async () => {
    const { id } = await make('Tagged');
    const target = { resourceType: type, id };
    const tag = [{ system: 'urn:js', code: 'marked' }];
    const parameter = [{ name: 'meta', valueMeta: { tag } }];
    const data = { resourceType: 'Parameters', parameter };
    const told = async (answer: Promise<{ data: { parameter?: unknown } }>) => (await answer).data.parameter;
    const isTagged = [{ name: 'return', valueMeta: expect.objectContaining({ tag, versionId: '2' }) }];
    expect(await told(client.meta.add({ target, data }))).toEqual(isTagged);
    expect(await told(client.meta.read({ target }))).toEqual(isTagged);
    expect(idsOf((await client.search<Bundle>({ type, query: { _tag: 'urn:js|marked' } })).data)).toEqual([id]);
    const rest = [{ name: 'return', valueMeta: expect.not.objectContaining({ tag: expect.anything() }) }];
    expect(await told(client.meta.delete({ target, data }))).toEqual(rest);
    expect((await client.read({ type, id })).data.meta).toMatchObject({ versionId: '3' });
  });

  it('that is wrong is told of with an outcome', async () => {
    const resource = { resourceType: type, birthDate: 'soon' };
    await expect(client.create({ resource })).rejects.toMatchObject({
      status: 400,
      data: { resourceType: 'OperationOutcome' },
    });
  });
});

describe('many', () => {
  it('searches by operators, with what is included, page by page, there and back', async () => {
    const made: string[] = [];
    for (const birthDate of ['2001-01-01', '2002-01-01', '2003-01-01']) {
      made.push((await make('Pages', { birthDate })).id);
    }
    const query = {
      family: { $exact: 'Pages' },
      birthdate: { $ge: '2001' },
      _count: 2,
      _sort: 'birthdate',
      _offset: 0,
    };
    const first = (await client.search<Bundle>({ type, query })).data;
    expect(idsOf(first)).toEqual(made.slice(0, 2));
    const second = (await client.nextPage<Bundle>({ type, bundle: first })).data;
    expect(idsOf(second)).toEqual(made.slice(2));
    expect(idsOf((await client.prevPage<Bundle>({ type, bundle: second })).data)).toEqual(made.slice(0, 2));
    const { url } = first.link.find(({ relation }) => relation === 'next')!;
    expect(idsOf((await client.getBundleByUrl<Bundle>({ url })).data)).toEqual(made.slice(2));
  });

  it('all of a search at once, and with what is referred to', async () => {
    const made: string[] = [];
    for (const given of ['1', '2', '3'])
      made.push((await make('All', { name: [{ family: 'All', given: [given] }] })).id);
    const query = { family: 'All', _count: 2 };
    expect((await client.fetchAll({ type, query })).map(({ id }) => id).sort()).toEqual(made.toSorted());
    const pages: number[] = [];
    await new Promise<void>((resolve, reject) => {
      client.drain({ type, query }, (page) => pages.push(page.length), resolve, reject);
    });
    expect(pages).toEqual([2, 1]);
    const subject = { reference: `${type}/${made[0]}` };
    const resource = { resourceType: 'Observation', status: 'final', code: { text: 'x' }, subject };
    await client.create({ resource });
    const asked = { type: 'Observation', query: { subject: subject.reference } };
    expect((await client.fetchAllWithReferences(asked, ['Observation.subject'])).data.entry).toHaveLength(1);
  });

  it('a transaction, and the histories that tell of it', async () => {
    const entry = ['Many', 'More'].map((family) => ({
      request: { method: 'POST', url: type },
      resource: { resourceType: type, name: [{ family }] },
    }));
    const bundle = { resourceType: 'Bundle', type: 'transaction', entry };
    const answer = (await client.transaction<Bundle>({ bundle, data: bundle })).data;
    const statuses = answer.entry?.map(({ response }) => response?.status);
    expect(statuses).toEqual(['201 Created', '201 Created']);
    const newest = ({ data }: { data: Bundle }) => data.entry?.slice(0, 2).map(({ resource }) => resource?.name);
    const names = expect.arrayContaining([[{ family: 'Many' }], [{ family: 'More' }]]);
    expect(newest(await client.typeHistory<Bundle>({ type }))).toEqual(names);
    expect(newest(await client.history<Bundle>({}))).toEqual(names);
  });
});
