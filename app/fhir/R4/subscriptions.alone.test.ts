import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { newId } from '#lib/base/ids.ts';
import { flushRuns } from '#lib/domain/runs/record/record-run.ts';
import { stopRunner } from '#lib/domain/runs/runner.ts';
import { startDeliveries } from '#lib/domain/subscriptions/start-deliveries.ts';
import { startLost } from '#lib/domain/subscriptions/start-lost.ts';
import { transaction, watchStatements } from '#lib/infra/db/client.ts';
import { startInvalidation, stopInvalidation } from '#lib/infra/db/invalidation.ts';
import { stopJobs } from '#lib/infra/jobs/jobs.ts';
import { queueJob } from '#lib/infra/jobs/queue-job.ts';
import { deployedBot } from '#lib/testing/bots.ts';
import { type Answer, type Call, callApi } from '#lib/testing/call-api.ts';
import { changeSettings } from '#lib/testing/change-settings.ts';
import { callFhir, expectIssue } from '#lib/testing/fhir/call-fhir.ts';
import { type Caller, type FhirProject, makeFhirProject } from '#lib/testing/fhir/fhir-project.ts';
import { db } from '#lib/testing/set-up/own-db.ts';
import { createWorld } from '#lib/testing/world.ts';

const PEER = 'https://medplum.com/fhir/StructureDefinition';
const WAIT = { timeout: 30_000, interval: 20 };

type Got = { path: string; headers: IncomingHttpHeaders; text: string };

let project: FhirProject;
let admin: Caller;
let receiver: Server;
let base: string;
let restore: () => void;
let stop: () => Promise<void>;
/** By path: what comes first is answered first. */
const answers = new Map<string, number[]>();
/** By path: what an answer waits for. */
const holds = new Map<string, () => Promise<void>>();
let got: Got[] = [];
let paths = 0;

beforeAll(async () => {
  receiver = createServer((request, response) => {
    let text = '';
    request.on('data', (part) => {
      text += part;
    });
    request.on('end', async () => {
      const path = request.url ?? '';
      got.push({ path, headers: request.headers, text });
      await holds.get(path)?.();
      const status = answers.get(path)?.shift() ?? 200;
      response.writeHead(status, status === 302 ? { location: `${base}/elsewhere` } : {}).end();
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  restore = changeSettings({ FETCH_PRIVATE_ADDRESSES: true });
  await startInvalidation();
  stop = await startDeliveries();
});

beforeEach(async () => {
  got = [];
  project = await makeFhirProject();
  admin = project.admin;
});

afterAll(async () => {
  await stop();
  await flushRuns();
  await stopRunner();
  await stopJobs();
  await stopInvalidation();
  restore();
  receiver.close();
});

type Given = { criteria?: string; by?: Caller; channel?: object; extension?: object[]; status?: string };

async function post({ criteria = 'Patient', by = admin, channel, extension, status = 'requested' }: Given = {}) {
  paths += 1;
  const path = `/hook-${paths}`;
  const body = {
    resourceType: 'Subscription',
    status,
    reason: 'test',
    criteria,
    channel: { type: 'rest-hook', endpoint: `${base}${path}`, payload: 'application/fhir+json', ...channel },
    ...(extension && { extension }),
  };
  return { path, answer: await callFhir(by, 'POST', 'Subscription', { body }) };
}

async function subscribe(given: Given = {}): Promise<{ path: string; id: string }> {
  const { path, answer } = await post(given);
  expect([answer.status, answer.body.status]).toEqual([201, 'active']);
  return { path, id: answer.body.id };
}

const at = (path: string) => got.filter((one) => one.path === path);
const toldAt = (path: string) =>
  at(path).map(({ headers, text }) => {
    const { id, meta } = JSON.parse(text);
    return `${headers['x-medplum-interaction']} ${id ?? headers['x-medplum-deleted-resource']} ${meta?.versionId ?? ''}`;
  });

async function make(family: string, by = admin): Promise<Answer['body']> {
  const body = { resourceType: 'Patient', name: [{ family }] };
  return (await callFhir(by, 'POST', 'Patient', { body })).body;
}

/** All that was queued before it is done, since what comes last has come. */
async function untilQuiet(): Promise<void> {
  await vi.waitFor(async () => {
    const [row] = await db().execute<{ count: number }>(sql`
      select count(*)::int as count from pgboss.job
      where name in ('hook', 'ordered') and state in ('created', 'retry', 'active') and data ->> 'projectId' = ${project.projectId}`);
    expect(row?.count).toBe(0);
  }, WAIT);
}

test('what matches after the change is told, by every way of writing, and nothing else', async () => {
  const { path } = await subscribe({ criteria: 'Patient?name=Yes' });
  const { path: gone } = await subscribe({
    criteria: 'Patient?name=Yes',
    extension: [{ url: `${PEER}/subscription-supported-interaction`, valueCode: 'delete' }],
  });
  const [one] = await Promise.all([make('Yes'), make('No')]);
  const other = await make('Other');
  const patient = (family: string) => ({ resourceType: 'Patient', name: [{ family }] });
  await callFhir(admin, 'PUT', `Patient/${other.id}`, { body: { ...patient('Yes'), id: other.id } });
  const patch = [{ op: 'add', path: '/active', value: true }];
  await callFhir(admin, 'PATCH', `Patient/${one.id}`, {
    headers: { 'content-type': 'application/json-patch+json' },
    body: patch,
  });
  const conditional = await callFhir(admin, 'PUT', 'Patient?identifier=urn:x|1', {
    body: { ...patient('Yes'), identifier: [{ system: 'urn:x', value: '1' }] },
  });
  const third = await make('Third');
  const entries = (type: 'batch' | 'transaction') => ({
    resourceType: 'Bundle',
    type,
    entry: [
      { request: { method: 'POST', url: 'Patient' }, resource: patient(`Yes ${type}`) },
      { request: { method: 'PUT', url: `Patient/${third.id}` }, resource: { ...patient(`Yes ${type}`), id: third.id } },
    ],
  });
  const bundles = [];
  for (const type of ['batch', 'transaction'] as const) {
    const { body } = await callFhir(admin, 'POST', '', { body: entries(type) });
    bundles.push(body.entry[0].response.location.match(/Patient\/([^/]+)/)[1]);
  }
  await callFhir(admin, 'POST', '', {
    body: {
      resourceType: 'Bundle',
      type: 'transaction',
      entry: [{ request: { method: 'DELETE', url: `Patient/${third.id}` } }],
    },
  });
  await callFhir(admin, 'DELETE', `Patient/${one.id}`);
  await callFhir(admin, 'PUT', `Patient/${other.id}`, { body: { ...patient('No more'), id: other.id } });
  await untilQuiet();
  const expected = [
    `create ${one.id} 1`,
    `update ${other.id} 2`,
    `update ${one.id} 2`,
    `create ${conditional.body.id} 1`,
    ...bundles.map((id) => `create ${id} 1`),
    `update ${third.id} 2`,
    `update ${third.id} 3`,
  ];
  expect(toldAt(path).sort()).toEqual(expected.sort());
  expect(toldAt(gone).sort()).toEqual([`delete Patient/${third.id} `, `delete Patient/${one.id} `].sort());
  expect(at(gone)[0]!.text).toBe('{}');
});

test('a transaction of hundreds of changes is told in a moment, each once', async () => {
  const { path } = await subscribe();
  const entry = Array.from({ length: 400 }, () => ({
    request: { method: 'POST', url: 'Patient' },
    resource: { resourceType: 'Patient' },
  }));
  const { body } = await callFhir(admin, 'POST', '', { body: { resourceType: 'Bundle', type: 'transaction', entry } });
  await untilQuiet();
  expect(toldAt(path)).toHaveLength(400);
  expect(new Set(toldAt(path)).size).toBe(body.entry.length);
});

test('a resource that comes back', async () => {
  const { path } = await subscribe();
  const one = await make('A');
  await callFhir(admin, 'DELETE', `Patient/${one.id}`);
  await callFhir(admin, 'PUT', `Patient/${one.id}`, { body: { resourceType: 'Patient', id: one.id } });
  await untilQuiet();
  expect(toldAt(path).sort()).toEqual([`create ${one.id} 1`, `create ${one.id} 3`]);
});

test('the body, its signature and the headers; without payload its id alone', async () => {
  const secret = 'quiet';
  const { path, id } = await subscribe({
    channel: { header: ['Authorization: Bearer abc'] },
    extension: [{ url: 'https://www.medplum.com/fhir/StructureDefinition/subscription-secret', valueString: secret }],
  });
  const { path: bare } = await subscribe({ channel: { payload: undefined } });
  const one = await make('Kreiger');
  await untilQuiet();
  const [{ headers, text }] = at(path) as [Got];
  expect(JSON.parse(text)).toEqual(one);
  expect(headers['content-type']).toBe('application/fhir+json');
  expect(headers.authorization).toBe('Bearer abc');
  expect(headers['x-medplum-subscription']).toBe(id);
  expect(headers['x-signature']).toBe(createHmac('sha256', secret).update(text).digest('hex'));
  const { versionId, lastUpdated } = one.meta;
  expect(JSON.parse(at(bare)[0]!.text)).toEqual({
    resourceType: 'Patient',
    id: one.id,
    meta: { versionId, lastUpdated },
  });
});

test('a limited author hears of what they may read; one who is no member any more stops it', async () => {
  const rules = [{ resourceType: 'Patient', criteria: 'Patient?gender=male' }, { resourceType: 'Subscription' }];
  const limited = await project.member(rules);
  const { path, id } = await subscribe({ by: limited });
  await make('Hidden');
  const body = { resourceType: 'Patient', gender: 'male' };
  const seen = await callFhir(admin, 'POST', 'Patient', { body });
  await untilQuiet();
  expect(toldAt(path)).toEqual([`create ${seen.body.id} 1`]);
  expect(
    (
      await callApi(
        admin.authorization,
        'DELETE',
        `/admin/projects/${project.projectId}/members/${limited.membershipId}`,
      )
    ).status,
  ).toBeLessThan(300);
  await callFhir(admin, 'POST', 'Patient', { body });
  await untilQuiet();
  expect(at(path)).toHaveLength(1);
  const { body: stopped } = await callFhir(admin, 'GET', `Subscription/${id}`);
  expect([stopped.status, stopped.error]).toEqual(['error', expect.stringContaining('no active member')]);
});

test('a client that is switched off hears nothing more', async () => {
  const author = await project.member();
  const { path, id } = await subscribe({ by: author });
  await make('First');
  await untilQuiet();
  expect(at(path)).toHaveLength(1);
  const client = author.profile.slice('ClientApplication/'.length);
  const disable = `/admin/projects/${project.projectId}/clients/${client}/disable`;
  expect((await callApi(admin.authorization, 'POST', disable)).status).toBe(200);
  await make('Second');
  await untilQuiet();
  expect(at(path)).toHaveLength(1);
  const { body: stopped } = await callFhir(admin, 'GET', `Subscription/${id}`);
  expect([stopped.status, stopped.error]).toEqual(['error', expect.stringContaining('no active member')]);
});

test('a client that is limited to some records by now hears nothing more: its tokens would not let it subscribe', async () => {
  const author = await project.member();
  const { path, id } = await subscribe({ by: author });
  await make('First');
  await untilQuiet();
  expect(at(path)).toHaveLength(1);
  const { body: client } = await callFhir(admin, 'GET', author.profile);
  const limited = { ...client, allowedScope: ['openid', 'system/Observation.rs'] };
  expect((await callFhir(admin, 'PUT', author.profile, { body: limited })).status).toBe(200);
  await make('Second');
  await untilQuiet();
  expect(at(path)).toHaveLength(1);
  const { body: stopped } = await callFhir(admin, 'GET', `Subscription/${id}`);
  expect([stopped.status, stopped.error]).toEqual(['error', expect.stringContaining('limited to some records')]);
});

test('what was written for another one is told as long as who wrote it may act for them', async () => {
  const [second, whose] = [await project.member(undefined, { admin: true }), await project.member()];
  const headers = { 'x-medplum-on-behalf-of': whose.profile };
  const path = `/hook-for-${newId()}`;
  const channel = { type: 'rest-hook', endpoint: `${base}${path}`, payload: 'application/fhir+json' };
  const body = { resourceType: 'Subscription', status: 'requested', reason: 'test', criteria: 'Patient', channel };
  const made = await callFhir(second, 'POST', 'Subscription', { body, headers });
  expect(made.status).toBe(201);
  await make('First');
  await untilQuiet();
  expect(at(path)).toHaveLength(1);
  const change = { body: [{ op: 'replace', path: '/admin', value: false }] };
  const member = `/admin/projects/${project.projectId}/members/${second.membershipId}`;
  expect((await callApi(admin.authorization, 'PATCH', member, change)).status).toBe(200);
  await make('Second');
  await untilQuiet();
  expect(at(path)).toHaveLength(1);
});

test('nothing of another project, of what was rolled back, or while it is off', async () => {
  const { path, id } = await subscribe();
  const other = await makeFhirProject();
  await make('Elsewhere', other.admin);
  const entry = [
    { request: { method: 'POST', url: 'Patient' }, resource: { resourceType: 'Patient' } },
    { request: { method: 'PUT', url: 'Patient/none' }, resource: { resourceType: 'Patient', id: 'none' } },
  ];
  const failed = await callFhir(admin, 'POST', '', { body: { resourceType: 'Bundle', type: 'transaction', entry } });
  expect(failed.status).toBeGreaterThanOrEqual(400);
  const { body } = await callFhir(admin, 'GET', `Subscription/${id}`);
  await callFhir(admin, 'PUT', `Subscription/${id}`, { body: { ...body, status: 'off' } });
  await make('Quiet');
  await untilQuiet();
  expect(at(path)).toEqual([]);
});

test('what fails is tried again; after the last attempt the subscription says it, and goes on', async () => {
  const extension = [{ url: `${PEER}/subscription-max-attempts`, valueInteger: 2 }];
  const { path, id } = await subscribe({ extension });
  answers.set(path, [500, 200, 302, 503]);
  const first = await make('First');
  await untilQuiet();
  expect(toldAt(path)).toEqual([`create ${first.id} 1`, `create ${first.id} 1`]);
  const keys = () => at(path).map(({ headers }) => headers['idempotency-key']);
  expect(keys()).toEqual(Array(2).fill(expect.stringMatching(/^[0-9a-f-]{36}$/)));
  expect(new Set(keys()).size).toBe(1);
  const second = await make('Second');
  await untilQuiet();
  expect(at(path)).toHaveLength(4);
  expect(at('/elsewhere')).toEqual([]);
  const { body } = await callFhir(admin, 'GET', `Subscription/${id}`);
  expect([body.status, body.error]).toEqual(['active', 'Could not be delivered: it answered 503']);
  const audit = await db().execute(sql`
    select outcome, after ->> 'delivery' as delivery from audit_event
    where project_id = ${project.projectId} and target = ${`Subscription/${id}`} and outcome = 4`);
  expect(audit).toEqual([{ outcome: 4, delivery: `Patient/${second.id}/_history/1` }]);
  await make('Third');
  await untilQuiet();
  expect(at(path)).toHaveLength(5);
  expect(new Set(keys()).size).toBe(3);
  const again = await callFhir(admin, 'PUT', `Subscription/${id}`, { body: { ...body, status: 'requested' } });
  expect([again.body.status, again.body.error]).toEqual(['active', undefined]);
});

test('changes of one resource whose receiver takes long keep nothing else of the project waiting, and come in their order', async () => {
  const { path } = await subscribe({ criteria: 'Observation' });
  const other = await subscribe();
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  holds.set(path, () => held);
  const body = { resourceType: 'Observation', status: 'final', code: { text: 'pulse' } };
  const { body: made } = await callFhir(admin, 'POST', 'Observation', { body });
  for (let count = 0; count < 80; count += 1)
    await callFhir(admin, 'PUT', `Observation/${made.id}`, { body: { ...body, id: made.id, valueInteger: count } });
  await make('Elsewhere');
  await vi.waitFor(() => expect(at(other.path)).toHaveLength(1), WAIT);
  expect(at(path)).toHaveLength(1);
  release();
  await untilQuiet();
  const versions = toldAt(path).map((text) => Number(text.split(' ').at(-1)));
  expect(versions).toEqual(Array.from({ length: 81 }, (_, index) => index + 1));
});

test('a subscription that asks for it is told of each resource in order: what is tried again keeps what follows on it waiting, and nothing else', async () => {
  const ordered = { url: 'urn:gatehouse:subscription-ordered', valueBoolean: true };
  const { path } = await subscribe({ extension: [ordered] });
  const { path: plain } = await subscribe();
  for (const each of [path, plain]) answers.set(each, [503]);
  const change = async (one: Answer['body'], active: boolean) =>
    (await callFhir(admin, 'PUT', `Patient/${one.id}`, { body: { ...one, active } })).body;
  const one = await make('One');
  await vi.waitFor(() => expect([at(path).length, at(plain).length]).toEqual([1, 1]), WAIT);
  const other = await make('Other');
  await change(await change(one, true), false);
  // Another process goes on with it.
  await vi.waitFor(() => expect(toldAt(path)).toContain(`create ${other.id} 1`), WAIT);
  await stop();
  stop = await startDeliveries();
  await untilQuiet();
  const of = (each: string) => toldAt(each).filter((text) => text.includes(one.id));
  const [first, ...rest] = [`create ${one.id} 1`, `update ${one.id} 2`, `update ${one.id} 3`];
  // What a process was telling when it stopped may be told again.
  const once = (told: string[]) => told.filter((text, index) => text !== told[index - 1]);
  expect(once(of(path))).toEqual([first, ...rest]);
  expect(of(path).filter((text) => text === first).length).toBeGreaterThan(1);
  expect([...new Set(of(plain))].sort()).toEqual([first, ...rest].sort());
  expect(of(plain).length).toBeGreaterThan(3);
  expect(toldAt(path).indexOf(`create ${other.id} 1`)).toBeLessThan(toldAt(path).lastIndexOf(first!));
});

test('what each process died of that tried it is given up, and lets go on what is told in order after it', async () => {
  const { path, id } = await subscribe({
    extension: [{ url: 'urn:gatehouse:subscription-ordered', valueBoolean: true }],
  });
  await stop();
  const one = await make('Deadly');
  await callFhir(admin, 'PUT', `Patient/${one.id}`, { body: { ...one, active: true } });
  const [died] = await db().execute<{ data: Record<string, string> }>(sql`
    update pgboss.job set state = 'failed' where name = 'ordered' and data ->> 'id' = ${one.id} and data ->> 'version' = '1'
    returning data`);
  stop = await startDeliveries();
  const noneIsTold = () =>
    expect(vi.waitFor(() => expect(at(path)).not.toEqual([]), { timeout: 1500, interval: 50 })).rejects.toThrow();
  await noneIsTold();
  await startLost();
  const lose = (data: Record<string, string>) => transaction((tx) => queueJob(tx, 'lost', data));
  const isLost = async () => {
    const rows = await db().execute(sql`select 1 from pgboss.job where name = 'lost' and state <> 'completed'`);
    expect(rows).toEqual([]);
  };
  // Of another change, which was not told in order: the one that waits to be given up stands.
  await lose({ ...died!.data, version: '7' });
  await vi.waitFor(isLost, WAIT);
  await noneIsTold();
  await lose(died!.data);
  await untilQuiet();
  expect(toldAt(path)).toEqual([`update ${one.id} 2`]);
  const { body } = await callFhir(admin, 'GET', `Subscription/${id}`);
  expect(body.error).toMatch(/^Could not be delivered: Each process that tried it was gone/);
});

test('of changes that meet the order is that of their versions, however many at once', async () => {
  const extension = [
    { url: 'urn:gatehouse:subscription-ordered', valueBoolean: true },
    { url: `${PEER}/subscription-max-attempts`, valueInteger: 2 },
  ];
  const { path } = await subscribe({ extension });
  answers.set(path, [200, 500, 200, 200, 500, 500]);
  const { id } = await make('Met');
  const headers = { 'content-type': 'application/json-patch+json' };
  const patch = (n: number) => [{ op: 'add', path: '/multipleBirthInteger', value: n }];
  const all = await Promise.all(
    Array.from({ length: 20 }, (_, n) => callFhir(admin, 'PATCH', `Patient/${id}`, { headers, body: patch(n) })),
  );
  expect(all.map(({ status }) => status)).toEqual(Array(20).fill(200));
  await untilQuiet();
  const versions = at(path).map(({ text }) => Number(JSON.parse(text).meta.versionId));
  expect(versions).toEqual(versions.toSorted((a, b) => a - b));
  expect(new Set(versions).size).toBe(21);
});

test('what was under way when its subscription was switched off and fails is a failure in the audit log', async () => {
  const extension = [{ url: `${PEER}/subscription-max-attempts`, valueInteger: 1 }];
  const { path, id } = await subscribe({ extension });
  answers.set(path, [500]);
  const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>();
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  holds.set(path, () => {
    arrive();
    return held;
  });
  const one = await make('Under way');
  await arrived;
  const { body } = await callFhir(admin, 'GET', `Subscription/${id}`);
  await callFhir(admin, 'PUT', `Subscription/${id}`, { body: { ...body, status: 'off' } });
  release();
  await untilQuiet();
  const audit = await db().execute(sql`
    select after ->> 'delivery' as delivery from audit_event
    where project_id = ${project.projectId} and target = ${`Subscription/${id}`} and outcome = 4`);
  expect(audit).toEqual([{ delivery: `Patient/${one.id}/_history/1` }]);
  const { body: off } = await callFhir(admin, 'GET', `Subscription/${id}`);
  expect([off.status, off.error]).toEqual(['off', undefined]);
});

test('what waited for an address is told no more where it tells by websocket by now', async () => {
  const { path, id } = await subscribe();
  await stop();
  const one = await make('Waits');
  const { body } = await callFhir(admin, 'GET', `Subscription/${id}`);
  const put = await callFhir(admin, 'PUT', `Subscription/${id}`, { body: { ...body, channel: { type: 'websocket' } } });
  expect([put.status, put.text]).toEqual([200, expect.anything()]);
  stop = await startDeliveries();
  await untilQuiet();
  expect(at(path)).toEqual([]);
  const audit = await db().execute(sql`
    select after ->> 'delivery' as delivery, after ->> 'because' as because from audit_event
    where project_id = ${project.projectId} and target = ${`Subscription/${id}`} and outcome = 4`);
  expect(audit).toEqual([{ delivery: `Patient/${one.id}/_history/1`, because: expect.stringMatching(/by websocket/) }]);
});

test('what waited for an address when its subscription was switched off is a failure in the audit log', async () => {
  const { path, id } = await subscribe();
  await stop();
  const one = await make('Waits');
  const { body } = await callFhir(admin, 'GET', `Subscription/${id}`);
  await callFhir(admin, 'PUT', `Subscription/${id}`, { body: { ...body, status: 'off' } });
  stop = await startDeliveries();
  await untilQuiet();
  expect(at(path)).toEqual([]);
  const audit = await db().execute(sql`
    select after ->> 'delivery' as delivery, after ->> 'because' as because from audit_event
    where project_id = ${project.projectId} and target = ${`Subscription/${id}`} and outcome = 4`);
  expect(audit).toEqual([{ delivery: `Patient/${one.id}/_history/1`, because: expect.stringMatching(/was off/) }]);
});

test('an answer without a body is an answer', async () => {
  const { path } = await subscribe();
  answers.set(path, [204]);
  await make('Quiet');
  await untilQuiet();
  expect(at(path)).toHaveLength(1);
});

test('an address that is away for long makes no version of its subscription for each change; each is in the audit log', async () => {
  const extension = [{ url: `${PEER}/subscription-max-attempts`, valueInteger: 1 }];
  const { path, id } = await subscribe({ extension });
  answers.set(path, [500, 500, 500]);
  for (const family of ['A', 'B', 'C']) {
    await make(family);
    await untilQuiet();
  }
  const { body } = await callFhir(admin, 'GET', `Subscription/${id}`);
  expect([body.meta.versionId, body.error]).toEqual(['2', 'Could not be delivered: it answered 500']);
  const audit = await db().execute(sql`
    select 1 from audit_event where project_id = ${project.projectId} and target = ${`Subscription/${id}`} and outcome = 4`);
  expect(audit).toHaveLength(3);
});

test('nothing of a project that is closed meanwhile is told; its subscriptions stand when it opens again', async () => {
  const { path, id } = await subscribe();
  await stop();
  await make('Before');
  const above = await makeFhirProject(true);
  const setActive = async (active: boolean) => {
    const { body } = await callFhir(above.admin, 'GET', `Project/${project.projectId}`);
    const answer = await callFhir(above.admin, 'PUT', `Project/${body.id}`, { body: { ...body, active } });
    expect(answer.status, answer.text).toBe(200);
  };
  await setActive(false);
  stop = await startDeliveries();
  await untilQuiet();
  await setActive(true);
  expect(at(path)).toEqual([]);
  const open = await make('After');
  await untilQuiet();
  expect(toldAt(path)).toEqual([`create ${open.id} 1`]);
  expect((await callFhir(admin, 'GET', `Subscription/${id}`)).body.status).toBe('active');
});

test('what was queued while nobody delivered is told by the next process; addresses are judged again', async () => {
  const { path } = await subscribe();
  const extension = [{ url: `${PEER}/subscription-max-attempts`, valueInteger: 1 }];
  const { path: named, id } = await subscribe({ extension });
  await stop();
  const one = await make('Waits');
  expect(at(path)).toEqual([]);
  const { path: inside, id: refused } = await subscribe({ criteria: 'Observation', extension });
  stop = await startDeliveries();
  await untilQuiet();
  expect(toldAt(path)).toEqual([`create ${one.id} 1`]);
  expect(toldAt(named)).toEqual([`create ${one.id} 1`]);
  expect([at(inside), id, refused]).toEqual([[], expect.any(String), expect.any(String)]);
  // The setting is gone: what it let in is asked no longer.
  onTestFinished(changeSettings({ FETCH_PRIVATE_ADDRESSES: false }));
  await make('Private');
  await untilQuiet();
  expect(at(path)).toHaveLength(1);
});

test('a receiver that changes what it is told of is stopped', async () => {
  const { path, id } = await subscribe();
  const one = await make('0');
  for (let count = 1; count <= 101; count += 1) {
    const body = { resourceType: 'Patient', id: one.id, name: [{ family: String(count) }] };
    await callFhir(admin, 'PUT', `Patient/${one.id}`, { body });
  }
  await untilQuiet();
  expect(at(path)).toHaveLength(100);
  expect((await callFhir(admin, 'GET', `Subscription/${id}`)).body.status).toBe('error');
}, 60_000);

test('a bot is run once with what changed, with its own rights; what it does wrong is told and not tried again', async () => {
  const world = await createWorld();
  const by = (method: string, path: string, call?: Call) =>
    callApi(world.owner.bearer, method, `/fhir/R4/${path}`, call);
  const code = `export async function handler(medplum: any, event: any) {
    if (event.input.active === false) throw new Error('no');
    await medplum.createResource({ resourceType: 'Basic', code: { text: event.headers['x-medplum-interaction'] },
      subject: { reference: 'Patient/' + event.input.id } });
  }`;
  const endpoint = `Bot/${await deployedBot(world, code)}`;
  const channel = { type: 'rest-hook', endpoint };
  const body = { resourceType: 'Subscription', status: 'requested', reason: 'x', criteria: 'Patient', channel };
  const made = await by('POST', 'Subscription', { body });
  expect(made.status, made.text).toBe(201);
  const nobody = { ...body, channel: { ...channel, endpoint: `Bot/${newId()}` } };
  expectIssue(
    await by('POST', 'Subscription', { body: nobody }),
    422,
    'business-rule',
    'Subscription.channel.endpoint',
  );
  const patient = await by('POST', 'Patient', { body: { resourceType: 'Patient' } });
  const found = () => by('GET', `Basic?subject=Patient/${patient.body.id}`);
  await vi.waitFor(async () => expect((await found()).body.entry).toHaveLength(1), WAIT);
  expect((await found()).body.entry[0].resource.code.text).toBe('create');
  await by('POST', 'Patient', { body: { resourceType: 'Patient', active: false } });
  const error = async () => (await by('GET', `Subscription/${made.body.id}`)).body.error;
  await vi.waitFor(async () => expect(await error()).toBe(`${endpoint}: the bot failed: its runs say why`), WAIT);
  await flushRuns();
  const runs = await db().execute(
    sql`select trigger, status from bot_run where project_id = ${world.projectId} order by status`,
  );
  expect(runs).toEqual([
    { trigger: 'subscription', status: 'failed' },
    { trigger: 'subscription', status: 'ok' },
  ]);
});

test('a bot that makes what runs it is stopped', async () => {
  const world = await createWorld();
  const by = (method: string, path: string, call?: Call) =>
    callApi(world.owner.bearer, method, `/fhir/R4/${path}`, call);
  const code = `export async function handler(medplum: any) {
    await medplum.createResource({ resourceType: 'Basic', code: { text: 'again' } });
  }`;
  const channel = { type: 'rest-hook', endpoint: `Bot/${await deployedBot(world, code)}` };
  const body = { resourceType: 'Subscription', status: 'requested', reason: 'x', criteria: 'Basic', channel };
  const made = await by('POST', 'Subscription', { body });
  await by('POST', 'Basic', { body: { resourceType: 'Basic', code: { text: 'first' } } });
  const status = async () => (await by('GET', `Subscription/${made.body.id}`)).body.status;
  await vi.waitFor(async () => expect(await status()).toBe('error'), WAIT);
  expect((await by('GET', 'Basic?_total=accurate')).body.total).toBe(6);
});

test('without subscriptions nothing is asked of the database, and a type that nobody waits for stays one statement', async () => {
  await make('Warm');
  const count = async (type: string) => {
    const texts: string[] = [];
    const end = watchStatements((text) => texts.push(text));
    await callFhir(admin, 'POST', type, { body: { resourceType: type, status: 'final', code: {}, name: undefined } });
    end();
    return texts.filter((text) => /begin|commit|pgboss|status' = 'active'/.test(text));
  };
  expect(await count('Patient')).toEqual([]);
  await subscribe();
  await count('Observation');
  expect(await count('Observation')).toEqual([]);
});

test.each([
  [{ criteria: 'Nothing?x=1' }, 'criteria'],
  [{ criteria: 'User' }, 'criteria'],
  [{ criteria: 'Subscription' }, 'criteria'],
  [{ criteria: 'Patient?nonsense=1' }, 'criteria'],
  [{ criteria: 'Observation?subject.name=x' }, 'criteria'],
  [{ criteria: 'Patient?_has:Observation:patient:code=x' }, 'criteria'],
  [{ criteria: 'Patient?_count=1' }, 'criteria'],
  [{ criteria: `Patient?name=${'x'.repeat(5000)}` }, 'criteria'],
  [{ channel: { type: 'websocket' } }, 'channel.endpoint'],
  [{ channel: { type: 'email' } }, 'channel.type'],
  [{ channel: { payload: 'application/fhir+xml' } }, 'channel.payload'],
  [{ channel: { endpoint: 'file:///etc/passwd' } }, 'channel.endpoint'],
  [{ channel: { endpoint: 'Bot/123' } }, 'channel.endpoint'],
  [{ channel: { endpoint: 'https://a:b@example.org/' } }, 'channel.endpoint'],
  [{ channel: { header: ['Host: evil'] } }, 'channel.header[0]'],
  [{ channel: { header: ['no header'] } }, 'channel.header[0]'],
  [{ extension: [{ url: `${PEER}/subscription-max-attempts`, valueInteger: 19 }] }, 'extension[0]'],
  [{ extension: [{ url: 'urn:gatehouse:subscription-ordered', valueString: 'yes' }] }, 'extension[0]'],
  [{ extension: [{ url: `${PEER}/fhir-path-criteria-expression`, valueString: 'x'.repeat(5000) }] }, 'extension[0]'],
  [{ channel: { endpoint: 'Bot/$execute' } }, 'channel.endpoint'],
  [{ channel: { endpoint: 'Bot/$execute?identifier=x&y=1' } }, 'channel.endpoint'],
] as [Given, string][])('%j is refused by name', async (given, element) => {
  const { answer } = await post(given);
  expectIssue(answer, 422, 'business-rule', `Subscription.${element}`);
  expect((await post({ ...given, status: 'off' })).answer.status).toBe(201);
});

test.each([
  'http://example.org/',
  'https://127.0.0.1/',
  'https://2130706433/',
  'https://[::1]/',
  'https://[::ffff:10.0.0.1]/',
  'https://169.254.169.254/latest/meta-data',
  'https://localhost./',
  'https://metadata.google.internal/',
])('%s is no endpoint where private addresses are closed', async (endpoint) => {
  onTestFinished(changeSettings({ FETCH_PRIVATE_ADDRESSES: false }));
  expectIssue((await post({ channel: { endpoint } })).answer, 422, 'business-rule', 'Subscription.channel.endpoint');
});
