import { createServer, IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, Socket } from 'node:net';
import smart from 'fhirclient';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callApi } from '../call-api.ts';
import { makeFhirProject } from '../fhir/fhir-project.ts';
import { makeClient, type Owner, type TestClient } from '../people.ts';
import { createWorld, type World } from '../world.ts';
import { type PeerApi, startApi } from './start-api.ts';
import { openWebBrowser, type WebBrowser } from './web-browser.ts';

/** SMART's own client, unmodified, in an app that knows the FHIR address and its client id (SMART App Launch 2.2). */
const SCOPE = 'openid fhirUser patient/*.rs offline_access';
let api: PeerApi;
let world: World;
let browser: WebBrowser;
let client: TestClient;
let patient: string;
let host: Server;
let app: string;

/** What of a session the client keeps; one browser uses the app. */
const kept = new Map<string, unknown>();
const storage = {
  get: async (key: string) => kept.get(key),
  set: async (key: string, value: unknown) => {
    kept.set(key, value);
    return value;
  },
  unset: async (key: string) => kept.delete(key),
};

beforeAll(async () => {
  api = await startApi();
  world = await createWorld();
  const { userId, membershipId, email } = world.owner;
  const owner: Owner = { projectId: world.projectId, userId, membershipId, email };
  browser = await openWebBrowser(api.baseUrl, owner);
  const body = { resourceType: 'Patient', name: [{ given: ['Ada'], family: 'Lovelace' }] };
  patient = (await callApi(world.owner.bearer, 'POST', '/fhir/R4/Patient', { body })).body.id;
  await callApi(world.owner.bearer, 'POST', '/fhir/R4/Patient', { body });

  host = createServer(async (request, response) => {
    const path = new URL(request.url ?? '/', app).pathname;
    const sdk = smart(request as never, response as never, storage as never);
    const settings = { clientId: client.id, redirectUri: `${app}/callback` };
    try {
      if (path === '/launch') await sdk.authorize({ ...settings, scope: `${SCOPE} launch` });
      else if (path === '/alone')
        await sdk.authorize({ ...settings, scope: `${SCOPE} launch/patient`, iss: `${api.baseUrl}/fhir/R4` });
      else response.end(JSON.stringify(await readAll(await sdk.ready())));
    } catch (error) {
      response.writeHead(500).end(String(error));
    }
  });
  await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
  app = `http://127.0.0.1:${(host.address() as AddressInfo).port}`;
  client = await makeClient(world.projectId, { redirectUris: [`${app}/callback`], launchUri: `${app}/launch` });
}, 60_000);
afterAll(async () => {
  host?.close();
  await api?.stop();
});

type Ready = Awaited<ReturnType<ReturnType<typeof smart>['ready']>>;

/** What the app knows and sees, before and after it renews its token. */
async function readAll(session: Ready) {
  const user = session.getFhirUser();
  const name = (await session.patient.read()).name?.[0]?.family;
  const before = session.state.tokenResponse?.access_token;
  await session.refresh();
  const { tokenResponse } = session.state;
  const seen = (await session.request('Patient')) as { entry: unknown[] };
  const isNew = tokenResponse?.access_token !== before;
  return { patient: session.patient.id, user, name, seen: seen.entry.length, isNew, still: tokenResponse?.patient };
}

/** From the app to us and back. */
async function open(address: string, choice?: { patient: string }) {
  const sent = await fetch(address, { redirect: 'manual' });
  const back = await browser.follow(sent.headers.get('location')!, choice);
  expect(back.href.startsWith(`${app}/callback?`), back.href).toBe(true);
  const landed = await fetch(back, { redirect: 'manual' });
  const next = landed.headers.get('location');
  const shown = next ? await fetch(new URL(next, app)) : landed;
  const text = await shown.text();
  expect(shown.status, text).toBe(200);
  return JSON.parse(text);
}

const seen = () => ({
  patient,
  user: expect.stringMatching(/^Practitioner\//),
  name: 'Lovelace',
  seen: 1,
  isNew: true,
  still: patient,
});

it('standalone launch: the person chooses the patient, whom the app reads, and nobody else', async () => {
  expect(await open(`${app}/alone`, { patient })).toEqual(seen());
});

it('EHR launch: the app is opened about the patient, and reads it', async () => {
  const answer = await browser.send('/auth/launch', { clientId: client.id, patient });
  expect(await open(((await answer.json()) as { location: string }).location)).toEqual(seen());
});

describe('an app that is signed in', () => {
  type Found = { resourceType: string; id: string; status?: string; active?: boolean; birthDate?: string };
  type Page = { resourceType: string; entry?: { resource: Found }[] };
  const observationOf = (id: string, text: string) => ({
    resourceType: 'Observation' as const,
    status: 'final',
    code: { text },
    subject: { reference: `Patient/${id}` },
  });
  let open: (id: string, more?: object) => Ready;
  let own: Ready;
  let headers: { authorization: string };
  let id: string;

  beforeAll(async () => {
    const { admin } = await makeFhirProject();
    const [username, password] = Buffer.from(admin.authorization.slice('Basic '.length), 'base64')
      .toString()
      .split(':');
    headers = { authorization: admin.authorization };
    // Its state is what a launch leaves, but for the token: those of this process are not the server's.
    open = (id, more) => {
      const tokenResponse = { patient: id, ...more };
      const state = { serverUrl: `${api.baseUrl}/fhir/R4`, tokenResponse, username, password };
      return smart(new IncomingMessage(new Socket()) as never, undefined as never, storage as never).client(
        state as never,
      );
    };
    id = (await open('none').create<Found>({ resourceType: 'Patient', name: [{ family: 'Kept' }] } as never)).id;
    own = open(id);
    for (const text of ['a', 'b', 'c']) await own.create(observationOf(id, text) as never);
    await own.create(observationOf('another', 'd') as never);
  });

  it('creates, changes, patches and deletes', async () => {
    const made = await own.create<Found>({ resourceType: 'Patient', active: true } as never);
    expect(await own.update({ ...made, active: false } as never)).toMatchObject({ active: false });
    const path = `Patient/${made.id}`;
    const patched = await own.patch(path, [{ op: 'add', path: '/birthDate', value: '1980-01-01' }]);
    expect(patched).toMatchObject({ active: false, birthDate: '1980-01-01' });
    await own.delete(path);
    await expect(own.request(path)).rejects.toMatchObject({ status: 410 });
  });

  it('asks for what belongs to its patient, by the parameter that the CapabilityStatement names', async () => {
    const found = (await own.patient.request('Observation')) as Page;
    expect(found.entry).toHaveLength(3);
  });

  it('follows pages: by pageLimit, flat, page by page', async () => {
    const url = `Observation?subject=Patient/${id}&_count=2&_sort=_lastUpdated`;
    expect(await own.request<Page[]>(url, { pageLimit: 0 })).toHaveLength(2);
    expect(await own.request(url, { pageLimit: 0, flat: true })).toHaveLength(3);
    expect(((await own.request(url)) as Page).entry).toHaveLength(2);
    const seen: string[] = [];
    for await (const found of own.resources(url, { headers })) seen.push(found.id!);
    expect(new Set(seen).size).toBe(3);
    const chained = await own.request(`Observation?patient.family=kept&_count=1`, { pageLimit: 0, flat: true });
    expect(chained).toHaveLength(3);
    const all = (await own.request(`Patient/${id}/$everything?_count=1`, { pageLimit: 0, flat: true })) as Found[];
    expect(all.map(({ resourceType }) => resourceType).sort()).toEqual([...Array(3).fill('Observation'), 'Patient']);
  });

  it('reads the patient, the encounter and the person of its session, and by the page', async () => {
    const encounter = await own.create<Found>({
      resourceType: 'Encounter',
      status: 'planned',
      class: { code: 'AMB' },
    } as never);
    const claims = Buffer.from(JSON.stringify({ fhirUser: `Patient/${id}` })).toString('base64url');
    const whole = open(id, { encounter: encounter.id, id_token: `e30.${claims}.x` });
    expect(await whole.patient.read()).toMatchObject({ resourceType: 'Patient', id });
    expect(await whole.encounter.read()).toMatchObject({ resourceType: 'Encounter', id: encounter.id });
    expect(await whole.user.read()).toMatchObject({ resourceType: 'Patient', id });
    const pages: number[] = [];
    for await (const { entry } of own.pages(`Observation?subject=Patient/${id}&_count=2`, { headers }))
      pages.push(entry!.length);
    expect(pages).toEqual([2, 1]);
    expect([await own.getFhirVersion(), await own.getFhirRelease()]).toEqual(['4.0.1', 4]);
    const answer = (await own.fhirRequest(`Patient/${id}`, { headers })) as Found;
    expect(answer.id).toBe(id);
    expect((await own.refreshIfNeeded()).tokenResponse?.patient).toBe(id);
  });

  it('resolves references: in place, and beside', async () => {
    const url = `Observation?subject=Patient/${id}&_count=1`;
    const inPlace = (await own.request(url, { resolveReferences: ['subject'] })) as Page;
    expect(inPlace.entry?.[0]?.resource).toMatchObject({ subject: { resourceType: 'Patient', id } });
    const beside = await own.request(url, { resolveReferences: 'subject', graph: false });
    expect(beside.references).toMatchObject({ [`Patient/${id}`]: { id } });
    const references = await own.getReferences(observationOf(id, 'd') as never, ['subject'], { headers });
    expect(references).toMatchObject({ [`Patient/${id}`]: { id } });
  });
});
