import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { newId } from '#lib/base/ids.ts';
import { queueBotEvent } from '#lib/domain/bot-events/queue-bot-event.ts';
import { flushRuns } from '#lib/domain/runs/record/record-run.ts';
import { stopRunner } from '#lib/domain/runs/runner.ts';
import { startDeliveries } from '#lib/domain/subscriptions/start-deliveries.ts';
import { fireSchedules } from '#lib/domain/triggers/fire-schedules.ts';
import { followDelivery } from '#lib/domain/triggers/follow-delivery.ts';
import { startEvents } from '#lib/domain/triggers/start-events.ts';
import { transaction } from '#lib/infra/db/client.ts';
import { startInvalidation, stopInvalidation } from '#lib/infra/db/invalidation.ts';
import { stopJobs } from '#lib/infra/jobs/jobs.ts';
import { deployedBot } from '#lib/testing/bots.ts';
import { type Call, callApi } from '#lib/testing/call-api.ts';
import { expectIssue } from '#lib/testing/fhir/call-fhir.ts';
import { db } from '#lib/testing/set-up/own-db.ts';
import { createSuperAdmin, createWorld, type World } from '#lib/testing/world.ts';

const PEER = 'https://medplum.com/fhir/StructureDefinition';
const WAIT = { timeout: 30_000, interval: 20 };

let world: World;
let stops: (() => Promise<void>)[];

beforeAll(async () => {
  await startInvalidation();
  stops = [await startDeliveries(), await startEvents()];
});

beforeEach(async () => {
  world = await createWorld();
});

afterAll(async () => {
  for (const stop of stops) await stop();
  await flushRuns();
  await stopRunner();
  await stopJobs();
  await stopInvalidation();
});

const by = (method: string, path: string, call?: Call) => callApi(world.owner.bearer, method, `/fhir/R4/${path}`, call);

/** Keeps what it was run with as a Basic, whose text says it. */
const KEEP = `export async function handler(medplum: any, event: any) {
  await medplum.createResource({ resourceType: 'Basic', code: { text: event.headers['x-medplum-interaction'] ?? event.input.id ?? event.input } });
}`;
const FAIL = `export async function handler(medplum: any, event: any) { throw new Error('no, ' + event.input.id); }`;

async function subscribe(
  endpoint: string,
  { criteria = 'Patient', extension }: { criteria?: string; extension?: object[] } = {},
) {
  const channel = { type: 'rest-hook', endpoint };
  const body = { resourceType: 'Subscription', status: 'requested', reason: 'x', criteria, channel, extension };
  const made = await by('POST', 'Subscription', { body });
  expect([made.status, made.body.status], made.text).toEqual([201, 'active']);
  return made.body.id as string;
}

async function put(patient: { id: string }, fields: object): Promise<void> {
  const answer = await by('PUT', `Patient/${patient.id}`, {
    body: { resourceType: 'Patient', id: patient.id, ...fields },
  });
  expect(answer.status, answer.text).toBe(200);
}

async function make(fields: object = {}) {
  return (await by('POST', 'Patient', { body: { resourceType: 'Patient', ...fields } })).body as { id: string };
}

async function told(): Promise<string[]> {
  const { body } = await by('GET', 'Basic?_sort=_lastUpdated');
  return (body.entry ?? []).map(({ resource }: { resource: { code: { text: string } } }) => resource.code.text);
}

async function untilQuiet(): Promise<void> {
  await vi.waitFor(async () => {
    const [row] = await db().execute<{ count: number }>(sql`
      select count(*)::int as count from pgboss.job where name in ('hook', 'ordered', 'event') and state in ('created', 'retry', 'active')
        and data ->> 'projectId' = ${world.projectId}`);
    expect(row?.count).toBe(0);
  }, WAIT);
  await flushRuns();
}

const letters = async () => (await world.call('GET', '/dead-letters')).body;
const runs = () =>
  db().execute<{
    id: string;
    botId: string;
    version: number | null;
    trigger: string;
    status: string;
    message: string | null;
  }>(
    sql`select id, bot_id as "botId", version, trigger, status, message from bot_run where project_id = ${world.projectId} order by started_at`,
  );

test('a subscription runs the bot that has its identifier when it is told, and says when none has', async () => {
  const identifier = [{ system: 'urn:b', value: 'one' }];
  const first = await deployedBot(world, KEEP, { identifier });
  const id = await subscribe('Bot/$execute?identifier=urn:b|one');
  await make();
  await untilQuiet();
  expect(await told()).toEqual(['create']);
  await by('DELETE', `Bot/${first}`);
  const patient = await make();
  await untilQuiet();
  expect((await by('GET', `Subscription/${id}`)).body.error).toMatch(/Not found/);
  const [letter] = (await letters()).rows;
  expect(letter).toMatchObject({
    bot: null,
    trigger: 'subscription',
    event: `Patient/${patient.id}/_history/1`,
    subscription: { reference: `Subscription/${id}` },
  });
  await deployedBot(world, KEEP, { identifier });
  expect((await world.call('POST', '/dead-letters/replay', { body: { ids: [letter.id] } })).body).toEqual({
    count: 1,
    more: false,
  });
  await untilQuiet();
  expect(await told()).toEqual(['create', 'create']);
  expect((await letters()).rows).toEqual([]);
});

test('nothing that a bot throws of a patient stands among the dead letters, or in the queue', async () => {
  const code = `export async function handler(medplum, event) { throw new Error('no bed for ' + event.input.name[0].family); }`;
  const bot = await deployedBot(world, code);
  await subscribe(`Bot/${bot}`);
  const url = `${PEER}/subscription-max-attempts`;
  await subscribe(`Bot/${bot}`, { extension: [{ url, valueInteger: 2 }] });
  await make({ name: [{ family: 'Okonjo' }] });
  await untilQuiet();
  const { rows } = await letters();
  expect(rows.map(({ message }: { message: string }) => message.split('\n')[0])).toEqual([
    'Error: no bed for •••',
    'Error: no bed for •••',
  ]);
  const queued = await db().execute(sql`
    select from pgboss.job j where j.data ->> 'projectId' = ${world.projectId} and position('Okonjo' in to_jsonb(j)::text) > 0`);
  expect(queued).toHaveLength(0);
});

test('transitions are told by %previous and %current, as the peer has them; what cannot be judged is said', async () => {
  const valueString = '%previous.exists() implies (%previous.active != %current.active)';
  const url = `${PEER}/fhir-path-criteria-expression`;
  await subscribe(`Bot/${await deployedBot(world, KEEP)}`, { extension: [{ url, valueString }] });
  const patient = await make({ active: false });
  await put(patient, { active: false, gender: 'male' });
  await put(patient, { active: true, gender: 'male' });
  await untilQuiet();
  expect(await told()).toEqual(['create', 'update']);
  for (const wrong of ['%nothing.exists()', '%current.name ((', '%current.gender']) {
    const id = await subscribe(`Bot/${await deployedBot(world, KEEP)}`, { extension: [{ url, valueString: wrong }] });
    await put(patient, { active: true, gender: 'female', birthDate: `20${10 + wrong.length}` });
    await untilQuiet();
    expect((await by('GET', `Subscription/${id}`)).body.error).toMatch(/could not be judged/);
    const { rows } = await letters();
    const own = rows.filter((row: { subscription: object }) => JSON.stringify(row.subscription).includes(id));
    expect(own.map(({ message }: { message: string }) => message)).toEqual([
      expect.stringMatching(/could not be judged/),
    ]);
    await by('DELETE', `Subscription/${id}`);
  }
});

test('a deletion is judged by what was there, and told as one', async () => {
  const extension = [
    { url: `${PEER}/subscription-supported-interaction`, valueCode: 'delete' },
    { url: `${PEER}/fhir-path-criteria-expression`, valueString: '%previous.active and %current.exists().not()' },
  ];
  await subscribe(`Bot/${await deployedBot(world, KEEP)}`, { extension });
  const [yes, no] = [await make({ active: true }), await make({ active: false })];
  for (const { id } of [yes, no]) await by('DELETE', `Patient/${id}`);
  await untilQuiet();
  expect(await told()).toEqual(['delete']);
});

test('a run for a deletion that is replayed is for a deletion, and has its key', async () => {
  const code = `export async function handler(medplum: any, { headers }: any) {
    const text = headers['x-medplum-deleted-resource'] + ' ' + headers['idempotency-key'];
    await medplum.createResource({ resourceType: 'Basic', code: { text } });
  }`;
  const extension = [{ url: `${PEER}/subscription-supported-interaction`, valueCode: 'delete' }];
  await subscribe(`Bot/${await deployedBot(world, code)}`, { extension });
  const { id } = await make();
  await by('DELETE', `Patient/${id}`);
  await untilQuiet();
  const [run] = await db().execute<{ id: string }>(sql`select id from bot_run where project_id = ${world.projectId}`);
  for (const body of [{ version: 'same' }, { version: 'same', input: '{}' }]) {
    const replayed = await world.call('POST', `/runs/${run!.id}/replay`, { body });
    expect(replayed.status, replayed.text).toBe(201);
  }
  const [first, ...others] = await told();
  expect(first).toMatch(new RegExp(`^Patient/${id} [0-9a-f-]{36}$`));
  expect(others).toEqual([first, `Patient/${id} undefined`]);
});

test('a bot that fails is run once, or as often as its subscription says; then it is a dead letter that can be replayed or dropped', async () => {
  const failing = await deployedBot(world, FAIL);
  await subscribe(`Bot/${failing}`, { criteria: 'Patient?active=true' });
  const extension = [{ url: `${PEER}/subscription-max-attempts`, valueInteger: 3 }];
  await subscribe(`Bot/${failing}`, { criteria: 'Patient?active=false', extension });
  const patient = await make({ active: true });
  await make({ active: false });
  await untilQuiet();
  expect((await runs()).map(({ status }) => status)).toEqual(['failed', 'failed', 'failed', 'failed']);
  const { rows } = await letters();
  expect(rows.map(({ attempts }: { attempts: number }) => attempts).sort()).toEqual([1, 3]);
  expect(new Set(rows.map(({ fingerprint }: { fingerprint: string }) => fingerprint)).size).toBe(1);
  expect(rows.map(({ bot }: { bot: object }) => bot)).toEqual(Array(2).fill({ reference: `Bot/${failing}` }));
  // Mended, then replayed: one of them, and the other is dropped.
  await by('POST', `Bot/${failing}/$deploy`, { body: { code: KEEP, filename: 'index.ts' } });
  const [own] = rows.filter(({ event }: { event: string }) => event.includes(patient.id));
  await world.call('POST', '/dead-letters/replay', { body: { ids: [own.id] } });
  await untilQuiet();
  expect(await told()).toEqual(['create']);
  const dropped = await world.call('POST', '/dead-letters/drop', { body: { all: { fingerprint: own.fingerprint } } });
  expect(dropped.body).toEqual({ count: 1, more: false });
  expect((await letters()).rows).toEqual([]);
  const log = await world.call('GET', '/audit?action=bot.event.*');
  expect(log.body.rows.map(({ action }: { action: string }) => action).sort()).toEqual([
    'bot.event.drop',
    'bot.event.fail',
    'bot.event.fail',
    'bot.event.replay',
  ]);
});

test('a run for an event that an administrator ends is not tried again: it is a dead letter, and runs by a replay', async () => {
  const STUCK = `export async function handler(medplum: any, event: any) {
    if (event.input.active === undefined) await new Promise((done) => setTimeout(done, 50_000));
  }`;
  const bot = await deployedBot(world, STUCK, { timeout: 60 });
  const attempts = [{ url: `${PEER}/subscription-max-attempts`, valueInteger: 3 }];
  await subscribe(`Bot/${bot}`, { extension: attempts });
  await make();
  const id = await vi.waitFor(async () => {
    const [run] = (await world.call('GET', '/runs/running')).body.rows;
    expect(run).toBeDefined();
    return run.id as string;
  }, WAIT);
  expect((await world.call('DELETE', `/runs/running/${id}`)).status).toBe(204);
  await untilQuiet();
  expect(await runs()).toMatchObject([{ status: 'failed', message: 'An administrator stopped this run' }]);
  expect((await letters()).rows).toMatchObject([{ message: 'An administrator stopped this run', attempts: 1 }]);
});

test('a group of errors counts its dead letters, which have its fingerprint, whatever bot they are of, and runs all of them again by it', async () => {
  const code = `export async function handler(medplum: any, event: any) {
    if (event.secrets.key === undefined) throw new Error('no key');
    if (event.input.active) return { resourceType: 'OperationOutcome', issue: [{ severity: 'error', code: 'invalid', details: { text: 'refused' } }] };
    throw new Error('no bed for ' + event.input.name[0].family + ' by ' + event.secrets.key.valueString);
  }`;
  const secrets = [{ name: 'key', valueString: 'bed-Okonjo-sesame' }];
  const set = await world.call('POST', '/secrets', { body: secrets });
  expect(set.status, set.text).toBe(200);
  const bots = [await deployedBot(world, code), await deployedBot(world, code)];
  const extension = [{ url: `${PEER}/subscription-max-attempts`, valueInteger: 2 }];
  for (const [at, bot] of bots.entries()) await subscribe(`Bot/${bot}`, at === 0 ? {} : { extension });
  await make({ name: [{ family: 'Okonjo' }] });
  await make({ active: true });
  await untilQuiet();
  const errors = async (query = '') => (await world.call('GET', `/runs/errors${query}`)).body.groups;
  const found: { fingerprint: string; message: string; count: number; deadLetters: number }[] = await errors();
  expect(found.map(({ count, deadLetters }) => [count, deadLetters])).toEqual([
    [3, 2],
    [3, 2],
  ]);
  expect((await errors(`?bot=${bots[0]}`)).map(({ deadLetters }: { deadLetters: number }) => deadLetters)).toEqual([
    1, 1,
  ]);
  const thrown = found.find(({ message }) => message.startsWith('Error: no bed'))!;
  const { rows: own } = (await world.call('GET', `/dead-letters?fingerprint=${thrown.fingerprint}`)).body;
  expect(own.map(({ message }: { message: string }) => message)).toEqual([thrown.message, thrown.message]);
  const groups = await world.call('GET', `/dead-letters/groups?fingerprint=${thrown.fingerprint}`);
  const ofBots = groups.body.rows.map((row: { bot: { reference: string }; count: number }) => [
    row.bot.reference,
    row.count,
  ]);
  expect(ofBots.toSorted()).toEqual(bots.map((bot) => [`Bot/${bot}`, 1]).toSorted());
  for (const bot of bots) await by('POST', `Bot/${bot}/$deploy`, { body: { code: KEEP, filename: 'index.ts' } });
  const body = { all: { fingerprint: thrown.fingerprint } };
  expect((await world.call('POST', '/dead-letters/replay', { body })).body).toEqual({ count: 2, more: false });
  await untilQuiet();
  expect(await told()).toEqual(['create', 'create']);
  const left: typeof found = await errors();
  expect(left.map(({ message, deadLetters }) => [message.split('\n')[0]!.slice(0, 7), deadLetters]).toSorted()).toEqual(
    [
      ['Error: ', 0],
      ['refused', 2],
    ],
  );
});

test('a replay that fails stands there again; one whose subscription is off, too', async () => {
  const failing = await deployedBot(world, FAIL);
  const id = await subscribe(`Bot/${failing}`);
  await make();
  await untilQuiet();
  const [first] = (await letters()).rows;
  await world.call('POST', '/dead-letters/replay', { body: { ids: [first.id] } });
  await untilQuiet();
  const [again] = (await letters()).rows;
  expect(again.id).not.toBe(first.id);
  const { body } = await by('GET', `Subscription/${id}`);
  await by('PUT', `Subscription/${id}`, { body: { ...body, status: 'off' } });
  await world.call('POST', '/dead-letters/replay', { body: { all: {} } });
  await untilQuiet();
  expect((await letters()).rows[0].message).toMatch(/is not active/);
  const { body: off } = await by('GET', `Subscription/${id}`);
  await by('PUT', `Subscription/${id}`, { body: { ...off, status: 'active', channel: { type: 'websocket' } } });
  await world.call('POST', '/dead-letters/replay', { body: { all: {} } });
  await untilQuiet();
  expect((await letters()).rows[0].message).toMatch(/by websocket now/);
});

/** A transaction of so many, so that they stand in the queue together. */
async function makeMany(count: number, resource: object): Promise<void> {
  const entry = Array.from({ length: count }, () => ({ request: { method: 'POST', url: 'Basic' }, resource }));
  const body = { resourceType: 'Bundle', type: 'transaction', entry };
  const answer = await by('POST', '', { body });
  expect(answer.status, answer.text).toBe(200);
}

const SLOW = `export async function handler() {
  await new Promise((done) => setTimeout(done, 50));
}`;
const basic = (text: string) => ({ resourceType: 'Basic', code: { text } });

test.each(['off', 'deleted'])(
  'what waited for a subscription that is %s when its turn comes is a dead letter, and runs by a replay',
  async (how) => {
    const id = await subscribe(`Bot/${await deployedBot(world, SLOW)}`, { criteria: 'Basic' });
    await makeMany(60, basic('x'));
    const { body } = await by('GET', `Subscription/${id}`);
    const ended =
      how === 'off'
        ? await by('PUT', `Subscription/${id}`, { body: { ...body, status: 'off' } })
        : await by('DELETE', `Subscription/${id}`);
    expect(ended.status, ended.text).toBeLessThan(300);
    await untilQuiet();
    const ran = (await runs()).length;
    const { rows: groups } = (await world.call('GET', '/dead-letters/groups')).body;
    expect(groups).toHaveLength(1);
    expect(ran + groups[0].count).toBe(60);
    expect(groups[0].message).toMatch(how === 'off' ? /it was off when the turn of this came/ : /was deleted/);
    if (how === 'deleted') return;
    await by('PUT', `Subscription/${id}`, { body: { ...body, status: 'active' } });
    await world.call('POST', '/dead-letters/replay', { body: { all: {} } });
    await untilQuiet();
    expect([(await runs()).length, (await letters()).rows]).toEqual([60, []]);
  },
);

test('of what waits behind a loop that is cut everything has run or is a dead letter', async () => {
  const id = await subscribe(`Bot/${await deployedBot(world, SLOW)}`, { criteria: 'Basic' });
  await stops[0]!();
  await makeMany(1, basic('last of a loop'));
  await db().execute(sql`
    update pgboss.job set data = jsonb_set(data, '{depth}', '"5"') where name = 'hook' and data ->> 'projectId' = ${world.projectId}`);
  await makeMany(60, basic('x'));
  stops[0] = await startDeliveries();
  await untilQuiet();
  const all = await runs();
  const [cut, ...others] = all.filter(({ message }) => message?.startsWith('A loop:'));
  expect([cut?.version, others]).toEqual([null, []]);
  const { rows: groups } = (await world.call('GET', '/dead-letters/groups')).body;
  const count = groups.reduce((sum: number, group: { count: number }) => sum + group.count, 0);
  expect([groups.length, all.length - 1 + count]).toEqual([2, 61]);
  const again = await world.call('POST', `/runs/${cut!.id}/replay`, { body: { version: 'live' } });
  expect([again.status, again.text]).toEqual([409, expect.stringContaining('was not begun')]);
  // Mended, it goes on with all of it, also with what it was cut at.
  const { body } = await by('GET', `Subscription/${id}`);
  await by('PUT', `Subscription/${id}`, { body: { ...body, status: 'active' } });
  await world.call('POST', '/dead-letters/replay', { body: { all: {} } });
  await untilQuiet();
  expect([(await runs()).filter(({ status }) => status === 'ok').length, (await letters()).rows]).toEqual([61, []]);
  expect((await by('GET', `Subscription/${id}`)).body.status).toBe('active');
});

test('an expression that takes too long is given up, and no other event of the project with it', async () => {
  const url = `${PEER}/fhir-path-criteria-expression`;
  const bot = await deployedBot(world, KEEP);
  const slow = `'${'a'.repeat(40)}!'.matches('^(a+)+$')`;
  const id = await subscribe(`Bot/${bot}`, { criteria: 'Basic?code=slow', extension: [{ url, valueString: slow }] });
  const valueString = '%current.active';
  await subscribe(`Bot/${bot}`, { extension: [{ url, valueString }] });
  await by('POST', 'Basic', { body: { resourceType: 'Basic', code: { coding: [{ code: 'slow' }] } } });
  await vi.waitFor(async () => expect((await letters()).rows).toHaveLength(1), WAIT);
  await make({ active: true });
  await untilQuiet();
  expect((await runs()).map(({ status }) => status)).toEqual(['ok']);
  expect((await letters()).rows).toMatchObject([{ message: expect.stringMatching(/could not be judged/) }]);
  // More of them would keep everything else of the project waiting.
  for (let count = 0; count < 8; count += 1)
    await by('POST', 'Basic', { body: { resourceType: 'Basic', code: { coding: [{ code: 'slow' }] } } });
  await untilQuiet();
  const { body: stopped } = await by('GET', `Subscription/${id}`);
  expect([stopped.status, stopped.error]).toEqual(['error', expect.stringMatching(/three times in a row/)]);
  const messages = (await letters()).rows.map(({ message }: { message: string }) => message);
  expect(messages.filter((message: string) => /could not be judged/.test(message))).toHaveLength(3);
  expect(messages).toHaveLength(9);
});

test('a loop is cut at the fifth run, and said on the subscription and in the record of the run that was not begun', async () => {
  const code = `export async function handler(medplum: any) {
    await medplum.createResource({ resourceType: 'Basic', code: { text: 'again' } });
  }`;
  const id = await subscribe(`Bot/${await deployedBot(world, code)}`, { criteria: 'Basic' });
  await by('POST', 'Basic', { body: { resourceType: 'Basic', code: { text: 'first' } } });
  await vi.waitFor(async () => expect((await by('GET', `Subscription/${id}`)).body.status).toBe('error'), WAIT);
  await untilQuiet();
  const all = await runs();
  expect(all.map(({ status }) => status)).toEqual(['ok', 'ok', 'ok', 'ok', 'ok', 'failed']);
  expect(all.at(-1)?.message).toMatch(/^A loop:/);
  expect((await letters()).rows).toMatchObject([{ message: all.at(-1)?.message, attempts: 0 }]);
  expect((await by('GET', `Subscription/${id}`)).body.error).toBe(all.at(-1)?.message);
});

test('an event is accepted once by its key, run under the bot’s own membership, and its input is gone when it has ended', async () => {
  const botId = await deployedBot(world, KEEP);
  const event = { kind: 'hl7' as const, value: 'MSH|^~\\&|x' };
  const ask = {
    projectId: world.projectId,
    botId,
    trigger: 'hl7' as const,
    key: 'message 1',
    focus: 'message 1',
    input: { event, contentType: 'x-application/hl7-v2+er7', headers: { 'x-medplum-interaction': 'hl7' } },
  };
  const [first, second] = [
    await transaction((tx) => queueBotEvent(tx, ask)),
    await transaction((tx) => queueBotEvent(tx, ask)),
  ];
  expect([first, second]).toEqual([expect.any(String), undefined]);
  await untilQuiet();
  expect(await told()).toEqual(['hl7']);
  expect(await transaction((tx) => queueBotEvent(tx, ask))).toBeUndefined();
  const rows = await db().execute(sql`select state, input from bot_event where project_id = ${world.projectId}`);
  expect(rows).toEqual([{ state: 'ended', input: null }]);
  expect((await runs()).map(({ trigger, status }) => [trigger, status])).toEqual([['hl7', 'ok']]);
});

test('a bot knows an event again by its key, on each attempt and replay of it', async () => {
  const code = `export async function handler(medplum: any, event: any) {
    await medplum.createResource({ resourceType: 'Basic', code: { text: event.headers['idempotency-key'] } });
    throw new Error('once more');
  }`;
  const botId = await deployedBot(world, code);
  const extension = [{ url: `${PEER}/subscription-max-attempts`, valueInteger: 2 }];
  await subscribe(`Bot/${botId}`, { extension });
  await make();
  const input = { event: { kind: 'text' as const, value: 'x' }, contentType: 'text/plain', headers: {} };
  const ask = { projectId: world.projectId, botId, trigger: 'mail' as const, key: 'm', focus: 'm', input };
  const id = await transaction((tx) => queueBotEvent(tx, ask));
  await untilQuiet();
  await world.call('POST', '/dead-letters/replay', { body: { all: {} } });
  await untilQuiet();
  const keys = Map.groupBy(await told(), (key) => key);
  expect([...keys.values()].map(({ length }) => length).toSorted()).toEqual([2, 4]);
  expect(keys.get(id!)).toHaveLength(2);
});

test('of one lane events run one after the other, in their order', async () => {
  const code = `export async function handler(medplum: any, event: any) {
    await new Promise((done) => setTimeout(done, event.input === 'a' ? 150 : 0));
    await medplum.createResource({ resourceType: 'Basic', code: { text: event.input } });
  }`;
  const botId = await deployedBot(world, code);
  for (const value of ['a', 'b', 'c']) {
    const input = { event: { kind: 'text' as const, value }, contentType: 'text/plain', headers: {} };
    const ask = {
      projectId: world.projectId,
      botId,
      trigger: 'hl7' as const,
      key: value,
      focus: value,
      input,
      lane: 'x',
    };
    await transaction((tx) => queueBotEvent(tx, ask));
  }
  await untilQuiet();
  expect((await told()).toSorted()).toEqual(['a', 'b', 'c']);
  expect(await told()).toEqual(['a', 'b', 'c']);
});

test('what is over the quota of the hour waits for the next, and is said to', async () => {
  await world.call('POST', '/settings', { body: [{ name: 'botEventsPerHour', valueInteger: 2 }] });
  await subscribe(`Bot/${await deployedBot(world, KEEP)}`);
  for (let count = 0; count < 3; count += 1) await make();
  await vi.waitFor(async () => expect((await letters()).waitingUntil).not.toBeNull(), WAIT);
  await vi.waitFor(async () => expect(await told()).toHaveLength(2), WAIT);
  expect((await letters()).waiting).toBe(1);
  const wrong = await world.call('POST', '/settings', { body: [{ name: 'botEventsPerHour', valueInteger: 0 }] });
  expect(wrong.status).toBe(400);
});

test('a mail that bounces is told to the bot that the project names, once, and to nobody where it names none', async () => {
  const code = `export async function handler(medplum: any, { input }: any) {
    await medplum.createResource({ resourceType: 'Basic', code: { text: JSON.stringify(input) } });
  }`;
  const docs = readFileSync('docs/bots.md', 'utf8');
  const [, page] = /### Mail that bounces[\s\S]*?```json\n([\s\S]*?)```/.exec(docs)!;
  const example = JSON.parse(page!);
  const tellOf = async (mailId: string, state: 'bounced' | 'complained') => {
    const { projectId } = world;
    const recipient = 'a@example.com';
    const one = {
      projectId,
      id: mailId,
      membershipId: newId(),
      template: 'invite',
      recipient,
      state,
      error: 'Mailbox full',
    };
    await transaction((tx) => followDelivery(tx, one));
    const mail = { ...example.mail, id: mailId };
    const membership = { reference: `ProjectMembership/${one.membershipId}` };
    return JSON.stringify({ ...example, event: state, mail, membership });
  };
  await tellOf(newId(), 'bounced');
  const bot = await deployedBot(world, code);
  const name = 'botMailBounces';
  expect((await world.call('POST', '/settings', { body: [{ name, valueString: bot }] })).status).toBe(400);
  const named = await world.call('POST', '/settings', { body: [{ name, valueString: `Bot/${bot}` }] });
  expect(named.status, named.text).toBe(200);
  const id = newId();
  const first = await tellOf(id, 'bounced');
  await tellOf(id, 'bounced');
  const second = await tellOf(id, 'complained');
  await untilQuiet();
  expect((await told()).toSorted()).toEqual([first, second].toSorted());
  expect((await runs()).map(({ trigger, status }) => [trigger, status])).toEqual([
    ['mail', 'ok'],
    ['mail', 'ok'],
  ]);
});

test('a bot that runs as the author of a subscription has not their administration, unless it is an administrator itself', async () => {
  const code = `export async function handler(medplum: any) {
    const asked = [
      ['GET', 'admin/projects/${world.projectId}/invites'],
      ['POST', 'admin/projects/${world.projectId}/invite', { resourceType: 'Practitioner', firstName: 'A', lastName: 'B', email: 'x' + Math.random() + '@example.com', sendEmail: false }],
      ['GET', 'fhir/R4/ProjectMembership'],
      ['POST', 'fhir/R4/AccessPolicy', { resourceType: 'AccessPolicy', name: 'x' }],
      ['POST', 'fhir/R4/Bot', { resourceType: 'Bot', name: 'x' }],
      ['GET', 'fhir/R4/Patient'],
    ];
    const answers = [];
    for (const [method, path, body] of asked) {
      const headers = { 'content-type': 'application/json' };
      const answer = await medplum.fetch(medplum.getBaseUrl() + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
      answers.push(answer.status);
    }
    await medplum.createResource({ resourceType: 'Basic', code: { text: answers.join(' ') } });
  }`;
  const bot = await deployedBot(world, code, { runAsUser: true });
  await subscribe(`Bot/${bot}`);
  await make();
  await untilQuiet();
  // Whom somebody asks has what they have.
  expect((await by('POST', `Bot/${bot}/$execute`, { body: {} })).status).toBe(200);
  const { body } = await by('GET', `ProjectMembership?profile=Bot/${bot}`);
  const patch = [{ op: 'add', path: '/admin', value: true }];
  const raised = await world.call('PATCH', `/members/${body.entry[0].resource.id}`, { body: patch });
  expect(raised.status, raised.text).toBe(200);
  await make();
  await untilQuiet();
  expect(await told()).toEqual(['403 403 403 403 403 200', '200 200 200 201 201 200', '200 200 200 201 201 200']);
});

test('a bot says how often it is tried with a time or a mail: the attempts have one key, and what fails to the last is a dead letter', async () => {
  const code = `export const handler = async (m: any, e: any) => {
    const text = e.headers['idempotency-key'];
    const earlier = (await m.searchResources('Basic')).filter((one: any) => one.code.text === text);
    await m.createResource({ resourceType: 'Basic', code: { text } });
    if (earlier.length < 2) throw new Error('not yet');
  };`;
  const attempts = (valueInteger: number) => [{ url: 'urn:gatehouse:bot-event-attempts', valueInteger }];
  const timed = { cronString: '* * * * *' };
  const steady = await deployedBot(world, code, { ...timed, extension: attempts(3) });
  const hasty = await deployedBot(world, code, { ...timed, extension: attempts(2) });
  const at = new Date(Math.floor(Date.now() / 60_000) * 60_000).toISOString();
  await db().execute(sql`update bot_schedule set next_at = ${at}::timestamptz where project_id = ${world.projectId}`);
  await fireSchedules();
  await untilQuiet();
  const of = async (bot: string) => (await runs()).filter(({ botId }) => botId === bot).map(({ status }) => status);
  expect([await of(steady), await of(hasty)]).toEqual([
    ['failed', 'failed', 'ok'],
    ['failed', 'failed'],
  ]);
  expect(new Set(await told()).size).toBe(2);
  expect((await letters()).rows).toMatchObject([{ trigger: 'cron', attempts: 2 }]);

  const named = await world.call('POST', '/settings', {
    body: [{ name: 'botMailBounces', valueString: `Bot/${steady}` }],
  });
  expect(named.status, named.text).toBe(200);
  const mail = { id: newId(), membershipId: newId(), template: 'invite', recipient: 'a@example.com', error: 'Full' };
  await transaction((tx) => followDelivery(tx, { ...mail, projectId: world.projectId, state: 'bounced' }));
  await untilQuiet();
  expect(await of(steady)).toEqual(['failed', 'failed', 'ok', 'failed', 'failed', 'ok']);
});

test.each([
  [[{ valueInteger: 0 }]],
  [[{ valueInteger: 19 }]],
  [[{ valueString: '3' }]],
  [[{ valueInteger: 1 }, { valueInteger: 1 }]],
])('attempts that cannot be honoured are refused, whether the bot is made or changed: %j', async (values) => {
  const extension = values.map((value) => ({ url: 'urn:gatehouse:bot-event-attempts', ...value }));
  const made = await by('POST', 'Bot', { body: { resourceType: 'Bot', name: 'b', extension } });
  const { body: bot } = await by('POST', 'Bot', { body: { resourceType: 'Bot', name: 'b' } });
  const changed = await by('PUT', `Bot/${bot.id}`, { body: { ...bot, extension } });
  for (const answer of [made, changed]) expectIssue(answer, 422, 'business-rule', 'Bot.extension[0]');
});

test('the times of a bot follow what it says, and each is fired once, by one of all who look', async () => {
  const botId = await deployedBot(
    world,
    `export const handler = async (m: any, e: any) =>
    m.createResource({ resourceType: 'Basic', code: { text: e.input.resourceType + ' ' + e.headers['x-gatehouse-missed'] } });`,
    {
      cronString: '* * * * *',
    },
  );
  const due = (at: string) =>
    db().execute(
      sql`update bot_schedule set next_at = ${at}::timestamptz where project_id = ${world.projectId} and bot_id = ${botId}`,
    );
  const minute = Math.floor(Date.now() / 60_000) * 60_000;
  await due(new Date(minute).toISOString());
  await Promise.all([fireSchedules(), fireSchedules(), fireSchedules()]);
  await untilQuiet();
  expect(await told()).toEqual(['Bot 0']);
  // Nobody was there for three minutes: one run makes up for them.
  await due(new Date(minute - 3 * 60_000).toISOString());
  await db().execute(sql`delete from bot_event where project_id = ${world.projectId}`);
  await fireSchedules();
  await untilQuiet();
  expect((await told()).map((text) => text.split(' ')[0])).toEqual(['Bot', 'Bot']);
  const schedule = await world.call('GET', `/bots/${botId}/schedule`);
  expect(schedule.body).toMatchObject({
    zone: 'UTC',
    note: null,
    missed: { since: new Date(minute - 3 * 60_000).toISOString() },
  });
  expect(schedule.body.missed.times).toBeGreaterThanOrEqual(3);
  expect(schedule.body.next).toHaveLength(5);
  const { body: bot } = await by('GET', `Bot/${botId}`);
  const { cronString: _, ...without } = bot;
  const zone = [{ url: 'http://hl7.org/fhir/StructureDefinition/timezone', valueCode: 'Europe/Berlin' }];
  const repeat = { frequency: 1, period: 1, periodUnit: 'd', timeOfDay: ['08:30:00'] };
  const changed = await by('PUT', `Bot/${botId}`, { body: { ...without, cronTiming: { repeat }, extension: zone } });
  expect(changed.status, changed.text).toBe(200);
  const later = (await world.call('GET', `/bots/${botId}/schedule`)).body;
  expect(later.zone).toBe('Europe/Berlin');
  expect(later.next.every((time: string) => /T0[67]:30/.test(time))).toBe(true);
  expect((await by('PUT', `Bot/${botId}`, { body: without })).status).toBe(200);
  expect((await world.call('GET', `/bots/${botId}/schedule`)).body).toMatchObject({ zone: null, next: [] });
});

test('times that cannot be fired, of a closed project or broken, keep no other bot waiting', async () => {
  const closed = await createWorld();
  const cron = { cronString: '* * * * *' };
  const code = `export const handler = (m: any) => m.createResource({ resourceType: 'Basic', code: { text: 'told' } });`;
  const [shut, open] = [await deployedBot(closed, code, cron), await deployedBot(world, code, cron)];
  const off = await callApi(await createSuperAdmin(), 'PATCH', `/fhir/R4/Project/${closed.projectId}`, {
    body: [{ op: 'add', path: '/active', value: false }],
    headers: { 'content-type': 'application/json-patch+json' },
  });
  expect(off.status, off.text).toBe(200);
  const broken = randomUUID();
  await db().execute(sql`insert into bot_schedule (project_id, bot_id, times, next_at)
    select ${broken}::uuid, gen_random_uuid(), '{', now() - interval '2 hours' from generate_series(1, 130)`);
  onTestFinished(async () => void (await db().execute(sql`delete from bot_schedule where project_id = ${broken}`)));
  await db().execute(
    sql`update bot_schedule set next_at = date_trunc('minute', now()) where bot_id in (${shut}, ${open})`,
  );
  await fireSchedules();
  await untilQuiet();
  expect(await told()).toEqual(['told']);
  const [row] = await db().execute<{ note: string; due: boolean }>(
    sql`select note, next_at <= now() as due from bot_schedule where bot_id = ${shut}`,
  );
  expect(row).toMatchObject({ due: false, note: expect.stringMatching(/./) });
});

test.each([
  [{ cronString: '* * * *' }, 'cronString'],
  [{ cronString: '0 0 30 2 *' }, 'cronString'],
  [{ cronString: 'H * * * *' }, 'cronString'],
  [{ cronString: '61 * * * *' }, 'cronString'],
  [{ cronTiming: { repeat: { period: 1, periodUnit: 's' } } }, 'cronTiming.repeat.periodUnit'],
  [{ cronTiming: { repeat: { period: 7, periodUnit: 'h' } } }, 'cronTiming.repeat.period'],
  [{ cronTiming: { repeat: { period: 1, periodUnit: 'd', when: ['AC'] } } }, 'cronTiming.repeat.when'],
  [{ cronTiming: { event: ['2026-01-01'] } }, 'cronTiming.event'],
])('%j is refused by name', async (fields, element) => {
  expectIssue(
    await by('POST', 'Bot', { body: { resourceType: 'Bot', name: 'x', ...fields } }),
    422,
    'business-rule',
    `Bot.${element}`,
  );
});

test('in the audit log a run says which Subscription made it, and nobody else can', async () => {
  const bot = await deployedBot(world, 'export async function handler() {}', { auditEventTrigger: 'always' });
  const id = await subscribe(`Bot/${bot}`);
  const patient = await make();
  const headers = { 'x-medplum-subscription': 'forged' };
  await by('POST', `Bot/${bot}/$execute`, { body: { resourceType: 'Patient', id: 'called' }, headers });
  const runs = async () => {
    await flushRuns();
    const { entry = [] } = (await by('GET', `AuditEvent?entity=Bot/${bot}`)).body;
    return entry.flatMap(({ resource }: { resource: RunEvent }) =>
      resource.type.code === 'execute'
        ? [resource.entity.slice(1).map(({ what, role }) => [what.reference, role.code])]
        : [],
    );
  };
  await vi.waitFor(async () => expect(await runs()).toHaveLength(2), WAIT);
  expect((await runs()).sort((a: object[], b: object[]) => a.length - b.length)).toEqual([
    [['Patient/called', '1']],
    [
      [`Patient/${patient.id}`, '1'],
      [`Subscription/${id}`, '9'],
    ],
  ]);
});

type RunEvent = { type: { code: string }; entity: { what: { reference: string }; role: { code: string } }[] };
