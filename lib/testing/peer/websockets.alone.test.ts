import type { MedplumClient, SubscriptionEmitter } from '@medplum/core';
import type { Bundle } from 'fhir/r4';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { makeClient, makePeerProject, type PeerProject } from './peer-project.ts';
import { type PeerApi, startApi } from './start-api.ts';

/** The peer's own SubscriptionManager, unmodified, against two processes of the API on one database. */
let apis: PeerApi[];
let project: PeerProject;
let client: MedplumClient;
let elsewhere: MedplumClient;

beforeAll(async () => {
  apis = [await startApi(), await startApi()];
  project = await makePeerProject(apis[0]!.baseUrl);
  [client, elsewhere] = apis.map(({ baseUrl }) => makeClient(baseUrl)) as [MedplumClient, MedplumClient];
  for (const one of [client, elsewhere]) await one.startClientLogin(project.clientId, project.clientSecret);
}, 60_000);
afterAll(async () => {
  client?.getSubscriptionManager().closeWebSocket();
  await Promise.all((apis ?? []).map((api) => api.stop()));
});

const WAIT = { timeout: 20_000, interval: 20 };

function listen(by: MedplumClient, criteria: string) {
  const emitter: SubscriptionEmitter = by.subscribeToCriteria(criteria);
  const got: Bundle[] = [];
  const connected = new Promise<void>((resolve) => emitter.addEventListener('connect', () => resolve()));
  emitter.addEventListener('message', ({ payload }) => got.push(payload as Bundle));
  return { connected, got };
}

test('a change in either process is told, whole, to who waits for it, and nothing else', async () => {
  const { connected, got } = listen(client, 'Patient?name=Heard');
  await connected;
  const made = [];
  for (const by of [client, elsewhere]) {
    await by.createResource({ resourceType: 'Patient', name: [{ family: 'Other' }] });
    made.push(await by.createResource({ resourceType: 'Patient', name: [{ family: 'Heard' }] }));
  }
  await vi.waitFor(() => expect(got).toHaveLength(2), WAIT);
  expect(got.map(({ entry }) => entry?.[1]?.resource)).toEqual(made);
  expect(got[0]).toMatchObject({
    resourceType: 'Bundle',
    type: 'history',
    entry: [
      {
        resource: {
          resourceType: 'SubscriptionStatus',
          type: 'event-notification',
          notificationEvent: [{ focus: { reference: `Patient/${made[0]!.id}` } }],
        },
      },
      { fullUrl: expect.stringMatching(new RegExp(`/fhir/R4/Patient/${made[0]!.id}$`)) },
    ],
  });
  const { id: _, ...changed } = made[0]!;
  await elsewhere.updateResource({ ...changed, id: made[0]!.id, active: true });
  await vi.waitFor(() => expect(got).toHaveLength(3), WAIT);
  expect(got[2]?.entry?.[1]?.resource).toMatchObject({ active: true });
});

test('the client that opens another socket listens there', async () => {
  const third = await startApi();
  const moving = makeClient(third.baseUrl);
  await moving.startClientLogin(project.clientId, project.clientSecret);
  const { connected, got } = listen(moving, 'Basic');
  await connected;
  const again = new Promise<void>((resolve) =>
    moving
      .getSubscriptionManager()
      .getMasterEmitter()
      .addEventListener('connect', () => resolve()),
  );
  moving.getSubscriptionManager().reconnectWebSocket();
  await again;
  const basic = await elsewhere.createResource({ resourceType: 'Basic', code: { text: 'x' } });
  await vi.waitFor(() => expect(got.map(({ entry }) => entry?.[1]?.resource?.id)).toContain(basic.id), WAIT);
  moving.getSubscriptionManager().closeWebSocket();
  await third.stop();
});
