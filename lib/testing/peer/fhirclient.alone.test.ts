import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import smart from 'fhirclient';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { callApi } from '../call-api.ts';
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
