import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MedplumClient, OperationOutcomeError } from '@medplum/core';
import type { Bundle, Patient } from 'fhir/r4';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeClient, makePeerProject, type PeerProject } from './peer-project.ts';
import { type Cli, makeCli } from './run-cli.ts';
import { type PeerApi, startApi } from './start-api.ts';

/** What the peer's published client and command line do with Bundles, unmodified. */
const SLOW = 90_000;
let api: PeerApi;
let project: PeerProject;
let client: MedplumClient;
let cli: Cli;

beforeAll(async () => {
  api = await startApi();
  project = await makePeerProject(api.baseUrl);
  client = makeClient(api.baseUrl);
  await client.startClientLogin(project.clientId, project.clientSecret);
  cli = await makeCli();
}, SLOW);
afterAll(async () => {
  await cli?.remove();
  await api?.stop();
});

it('executeBatch: a batch, and a transaction', async () => {
  const patient: Patient = { resourceType: 'Patient', name: [{ family: 'Batch' }] };
  const entry: Bundle['entry'] = [
    { request: { method: 'POST', url: 'Patient' }, resource: patient },
    { request: { method: 'GET', url: 'Patient/00000000-0000-4000-8000-000000000000' } },
  ];
  const batch: Bundle = await client.executeBatch({ resourceType: 'Bundle', type: 'batch', entry });
  expect(batch).toMatchObject({ type: 'batch-response' });
  expect(batch.entry?.map(({ response }) => response?.status)).toEqual(['201 Created', '404 Not Found']);
  const fullUrl = 'urn:uuid:4bd1b7a9-43a4-4bd1-b7a9-7dbf5d9d5f4c';
  const transaction: Bundle = await client.executeBatch({
    resourceType: 'Bundle',
    type: 'transaction',
    entry: [
      { fullUrl, request: { method: 'POST', url: 'Patient' }, resource: patient },
      {
        request: { method: 'POST', url: 'Observation' },
        resource: {
          resourceType: 'Observation',
          status: 'final',
          code: { text: 'x' },
          subject: { reference: fullUrl },
        },
      },
    ],
  });
  const [made, observation] = transaction.entry?.map(({ resource }) => resource) ?? [];
  expect(observation).toMatchObject({ subject: { reference: `Patient/${made?.id}` } });
  await expect(client.executeBatch({ resourceType: 'Bundle', type: 'searchset' })).rejects.toThrow();
});

it('autoBatchTime: reads of the same moment are one request, and each gets its own answer or error', async () => {
  const requests: string[] = [];
  const counting = new MedplumClient({
    baseUrl: `${api.baseUrl}/`,
    autoBatchTime: 20,
    cacheTime: 0,
    fetch: (url: string, options: RequestInit) => {
      requests.push(`${options.method} ${new URL(url).pathname}`);
      return fetch(url, options);
    },
  });
  await counting.startClientLogin(project.clientId, project.clientSecret);
  const some = await Promise.all(
    [1, 2, 3].map((at) => client.createResource<Patient>({ resourceType: 'Patient', id: `${at}` })),
  );
  requests.length = 0;
  const [found, first, missing, ...rest] = await Promise.allSettled([
    counting.search('Patient', `_id=${some[0]!.id}`),
    ...some.slice(0, 1).map(({ id }) => counting.readResource('Patient', id!)),
    counting.readResource('Patient', '00000000-0000-4000-8000-000000000000'),
    ...some.slice(1).map(({ id }) => counting.readReference({ reference: `Patient/${id}` })),
  ]);
  expect(requests).toEqual(['POST /fhir/R4']);
  expect(found).toMatchObject({
    status: 'fulfilled',
    value: { type: 'searchset', entry: [{ resource: { id: some[0]!.id } }] },
  });
  expect(first).toMatchObject({ value: { id: some[0]!.id } });
  expect(missing).toMatchObject({ status: 'rejected', reason: expect.any(OperationOutcomeError) });
  expect(rest).toMatchObject(some.slice(1).map(({ id }) => ({ value: { id } })));
});

it(
  'bulk import of NDJSON',
  async () => {
    const login = [
      '--base-url',
      `${api.baseUrl}/`,
      '--client-id',
      project.clientId,
      '--client-secret',
      project.clientSecret,
    ];
    expect(await cli.run('login', '--auth-type', 'client-credentials', ...login)).toMatchObject({ code: 0 });
    const lines = Array.from({ length: 60 }, (_, at) =>
      JSON.stringify({ resourceType: 'Patient', name: [{ family: 'Bulkimport', given: [String(at)] }] }),
    );
    await writeFile(join(cli.folder, 'patients.ndjson'), lines.join('\n'));
    const { code, output } = await cli.run('bulk', 'import', 'patients.ndjson', '--num-resources-per-request', '25');
    expect({ code, output }).toMatchObject({ code: 0 });
    const { total } = await client.search('Patient', 'name=Bulkimport&_total=accurate&_count=1');
    expect(total).toBe(60);
  },
  SLOW,
);
