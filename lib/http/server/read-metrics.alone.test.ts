import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '#lib/base/ids.ts';
import { stopRunner } from '#lib/domain/runs/runner.ts';
import { db, type Queryable, transaction } from '#lib/infra/db/client.ts';
import { poolSizes } from '#lib/infra/db/pool/pool-sizes.ts';
import { stopJobs } from '#lib/infra/jobs/jobs.ts';
import { queueJob } from '#lib/infra/jobs/queue-job.ts';
import { deployedBot } from '#lib/testing/bots.ts';
import { callApi } from '#lib/testing/call-api.ts';
import { callAuth } from '#lib/testing/call-auth.ts';
import { makePerson, PASSWORD } from '#lib/testing/people.ts';
import { createWorld, type World } from '#lib/testing/world.ts';
import { makeFastLane } from './fast-lane.ts';

let server: Server;
let world: World;

beforeAll(async () => {
  const toNext = await makeFastLane(join(import.meta.dirname, '../../../app'), (_, response) => response.end('a page'));
  server = createServer(toNext).listen(0, '127.0.0.1');
  await once(server, 'listening');
  world = await createWorld();
});

afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await stopRunner();
  await stopJobs();
});

async function send(method: string, path: string, authorization?: string): Promise<{ status: number; text: string }> {
  const { port } = server.address() as AddressInfo;
  const headers = { ...(authorization && { authorization }), connection: 'keep-alive' };
  const asked = request({ host: '127.0.0.1', port, method, path, headers }).end();
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  const text = (await answer.toArray()).join('');
  return { status: answer.statusCode ?? 0, text };
}

/** Every series with its value. */
async function look(): Promise<Map<string, number>> {
  const { status, text } = await send('GET', '/metrics');
  expect(status).toBe(200);
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]),
  );
}

/** By how much what is counted has grown while `run` ran. */
async function growth(run: () => Promise<unknown>): Promise<(series: string) => number> {
  const before = await look();
  await run();
  const after = await look();
  return (series) => (after.get(series) ?? 0) - (before.get(series) ?? 0);
}

const count = (method: string, route: string, status: number) =>
  `gatehouse_http_request_duration_seconds_count{method="${method}",route="${route}",status="${status}"}`;

describe('requests', () => {
  test('by method, mounted pattern and status; whatever leads nowhere is one', async () => {
    const paths = ['/fhir/R4/Patient/a', '/fhir/R4/Patient/b', '/fhir/R4/Observation/c'];
    const unknown = ['/admin/x/y/z', '/fhir/nothing/1', '/auth/nothing'];
    const grown = await growth(async () => {
      for (const path of paths) expect((await send('GET', path, world.owner.bearer)).status).toBe(404);
      for (const path of unknown) expect((await send('GET', path)).status).toBe(404);
      for (const path of ['/signin', '/p/1/members']) await send('GET', path);
      await send('PROPFIND', '/auth/me');
    });
    expect(grown(count('GET', '/fhir/R4/[type]/[id]', 404))).toBe(3);
    expect(grown(count('GET', 'unknown', 404))).toBe(3);
    expect(grown(count('GET', 'page', 200))).toBe(2);
    expect(grown(count('other', '/auth/me', 405)) + grown(count('other', 'unknown', 405))).toBe(1);
  });

  test('how long they took, in buckets of which each holds those before it', async () => {
    await send('GET', '/healthcheck');
    const now = await look();
    const of = (name: string, more = '') =>
      now.get(`gatehouse_http_request_duration_seconds_${name}{method="GET",route="/healthcheck",status="200"${more}}`);
    const bounds = ['0.001', '0.01', '0.1', '1', '10', '+Inf'].map((bound) => of('bucket', `,le="${bound}"`)!);
    expect(bounds).toEqual(bounds.toSorted((a, b) => a - b));
    expect(bounds.at(-1)).toBe(of('count'));
    expect(of('count')).toBe(1);
    expect(of('sum')).toBeGreaterThan(0);
  });

  test('nothing that a caller sends, no id and no name stands in it', async () => {
    await send('GET', '/fhir/R4/Patient/secret-id?name=Reyes', world.owner.bearer);
    const { text } = await send('GET', '/metrics');
    expect(text).not.toMatch(new RegExp(`secret-id|Reyes|${world.projectId}`));
  });
});

test('sign-ins: what was right, wrong, and not looked at any more', async () => {
  const { email } = await makePerson();
  const remote = '10.9.9.9';
  const signIn = (password: string) => callAuth('POST', '/auth/login', { remote, body: { email, password } });
  const grown = await growth(async () => {
    for (let tries = 0; tries < 10; tries++) await signIn('wrong');
    expect((await signIn(PASSWORD)).status).toBe(429);
  });
  expect(grown('gatehouse_sign_ins_total{by="password",outcome="failed"}')).toBe(10);
  expect(grown('gatehouse_sign_ins_total{by="password",outcome="throttled"}')).toBe(1);
  const other = await makePerson();
  const right = await growth(() =>
    callAuth('POST', '/auth/login', { body: { email: other.email, password: PASSWORD } }),
  );
  expect(right('gatehouse_sign_ins_total{by="password",outcome="succeeded"}')).toBe(1);
  expect(right('gatehouse_sign_ins_total{by="password",outcome="failed"}')).toBe(0);
});

test('runs of bots: those that are in a process, and how they ended', async () => {
  const run = (id: string) => callApi(world.owner.bearer, 'POST', `/fhir/R4/Bot/${id}/$execute`, { body: {} });
  const [good, bad] = [
    await deployedBot(world, 'export async function handler() { return 1; }'),
    await deployedBot(world, 'export async function handler() { throw new Error("no"); }'),
  ];
  const grown = await growth(async () => {
    await run(good);
    await run(bad);
  });
  expect(grown('gatehouse_bot_runs_total{outcome="ok"}')).toBe(1);
  expect(grown('gatehouse_bot_runs_total{outcome="threw"}')).toBe(1);
  await expect.poll(async () => (await look()).get('gatehouse_sandbox_isolates')).toBeGreaterThan(0);
  const now = await look();
  expect(now.get('gatehouse_sandbox_processes')).toBeGreaterThan(0);
  expect(now.get('gatehouse_bot_runs_in_line')).toBe(0);
});

const KEY = 7_000_002;

/** So many statements that wait until `tx` ends. */
async function blockStatements(tx: Queryable, statements: number): Promise<Promise<unknown>[]> {
  await tx.execute(sql`select pg_advisory_xact_lock(${KEY})`);
  const wait = () => db().execute(sql`select pg_advisory_lock_shared(${KEY}), pg_advisory_unlock_shared(${KEY})`);
  return Array.from({ length: statements }, () => wait().execute());
}

test('the pools: what is on a connection, and what waits behind it', async () => {
  let waiting: Promise<unknown>[] = [];
  const more = 3;
  await transaction(async (tx) => {
    waiting = await blockStatements(tx, poolSizes().statements + more);
    const now = await look();
    expect(now.get('gatehouse_db_in_use{pool="transactions"}')).toBe(1);
    expect(now.get('gatehouse_db_in_use{pool="statements"}')).toBe(poolSizes().statements);
    expect(now.get('gatehouse_db_waiting{pool="statements"}')).toBeGreaterThanOrEqual(more);
    expect(now.get('gatehouse_db_connections{pool="statements"}')).toBe(poolSizes().statements);
  });
  await Promise.all(waiting);
  expect((await look()).get('gatehouse_db_waiting{pool="statements"}')).toBe(0);
});

test('the queue: jobs by state, how long the oldest has waited, and mails among them', async () => {
  await transaction(async (tx) => {
    await queueJob(tx, 'mail', { projectId: world.projectId, mailId: newId() });
    await queueJob(tx, 'mail', { projectId: world.projectId, mailId: newId() });
    await tx.execute(
      sql`update pgboss.job set created_on = now() - interval '1 minute', start_after = now() - interval '1 minute'`,
    );
  });
  const now = await look();
  expect(now.get('gatehouse_database_up')).toBe(1);
  expect(now.get('gatehouse_queue_jobs{queue="mail",state="created"}')).toBe(2);
  expect(now.get('gatehouse_mails_waiting')).toBe(2);
  expect(now.get('gatehouse_queue_oldest_waiting_seconds{queue="mail"}')).toBeGreaterThanOrEqual(60);
});

test('while nothing comes from the database the process tells of itself, and that it is so', async () => {
  let waiting: Promise<unknown>[] = [];
  await transaction(async (tx) => {
    waiting = await blockStatements(tx, poolSizes().statements);
    const now = await look();
    expect(now.get('gatehouse_database_up')).toBe(0);
    expect(now.has('gatehouse_queue_jobs{queue="mail",state="created"}')).toBe(false);
    expect(now.get('process_resident_memory_bytes')).toBeGreaterThan(1e7);
  });
  await Promise.all(waiting);
  await expect.poll(async () => (await look()).get('gatehouse_database_up')).toBe(1);
});

test('the process itself', async () => {
  const now = await look();
  expect(now.get('process_resident_memory_bytes')).toBeGreaterThan(1e7);
  expect(now.has('nodejs_eventloop_lag_p99_seconds')).toBe(true);
});
