import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { env } from '#lib/base/env.ts';
import { findFreePort } from '#lib/infra/net/free-port.ts';
import { deployedBot } from '#lib/testing/bots.ts';
import { callApi } from '#lib/testing/call-api.ts';
import { changeSettings } from '#lib/testing/change-settings.ts';
import { createWorld, type World } from '#lib/testing/world.ts';
import { startBackground } from './background.ts';

const WAIT = { timeout: 50_000, interval: 50 };
const started: ChildProcess[] = [];
const restore = changeSettings({ JOBS: 'elsewhere' });
let stop: () => Promise<void>;
let world: World;

// This process is the server: requests come here, and jobs are left to others.
beforeAll(async () => {
  stop = await startBackground();
  world = await createWorld();
});
afterAll(async () => {
  for (const worker of started) worker.kill('SIGKILL');
  await stop();
  restore();
});

/** A process as `npm run worker` keeps it. */
async function startWorker(): Promise<{ worker: ChildProcess; port: number }> {
  const port = await findFreePort();
  const settings = { GATEHOUSE_WORKER: '1', JOBS: 'here', PORT: String(port), NODE_ENV: 'production' };
  const { DATABASE_URL, AUTH_SECRET, BASE_URL, DATA_DIR } = env();
  const worker = fork(join(import.meta.dirname, '../../../server.ts'), {
    env: { ...process.env, DATABASE_URL, AUTH_SECRET, BASE_URL, DATA_DIR, ...settings } as NodeJS.ProcessEnv,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  started.push(worker);
  await new Promise<void>((resolve, reject) => {
    worker.once('message', () => resolve());
    worker.once('exit', (code) => reject(new Error(`The worker ended with ${code}`)));
  });
  return { worker, port };
}

const fhir = (method: string, path: string, body?: unknown) =>
  callApi(world.owner.bearer, method, `/fhir/R4/${path}`, { body });

async function makePatients(count: number): Promise<void> {
  for (let at = 0; at < count; at += 1) expect((await fhir('POST', 'Patient', PATIENT)).status).toBe(201);
}

/** Of which patients the bot has told; it may have been killed in between and told once more. */
async function told(): Promise<Set<string>> {
  const { body } = await fhir('GET', 'Basic?_count=1000');
  return new Set(
    (body.entry ?? []).map(
      ({ resource }: { resource: { subject: { reference: string } } }) => resource.subject.reference,
    ),
  );
}

const PATIENT = { resourceType: 'Patient', name: [{ family: 'Event' }] };
const CODE = `export async function handler(medplum: any, event: any) {
  // Of the client: it asks the worker's own routes.
  await medplum.readHistory('Patient', event.input.id);
  await medplum.createResource({
    resourceType: 'Basic', code: { text: 'told' }, subject: { reference: 'Patient/' + event.input.id },
  });
}`;

test('runs that events bring about are left to workers; one is killed, and the next goes on with all of them', async () => {
  const endpoint = `Bot/${await deployedBot(world, CODE)}`;
  const channel = { type: 'rest-hook', endpoint, payload: 'application/fhir+json' };
  const subscription = { resourceType: 'Subscription', status: 'active', reason: 'test', criteria: 'Patient', channel };
  expect((await fhir('POST', 'Subscription', subscription)).status).toBe(201);
  await makePatients(10);
  expect(await told()).toEqual(new Set());

  const first = await startWorker();
  await makePatients(30);
  await vi.waitFor(async () => expect((await told()).size).toBeGreaterThan(0), WAIT);
  first.worker.kill('SIGKILL');
  await makePatients(10);
  await startWorker();
  await vi.waitFor(async () => expect((await told()).size).toBe(50), WAIT);
}, 180_000);

test('a worker says how it does, and answers nothing else', async () => {
  const { port } = await startWorker();
  const statuses = async (...paths: string[]) =>
    Promise.all(paths.map(async (path) => (await fetch(`http://localhost:${port}${path}`)).status));
  expect(await statuses('/healthcheck', '/fhir/R4/metadata', '/oauth2/token', '/signin')).toEqual([200, 404, 404, 404]);
  // It finds its walls beside.
  await vi.waitFor(async () => {
    const metrics = await fetch(`http://localhost:${port}/metrics`);
    expect([metrics.status, await metrics.text()]).toEqual([
      200,
      expect.stringContaining('gatehouse_sandbox_wall{wall='),
    ]);
  }, WAIT);
}, 120_000);
