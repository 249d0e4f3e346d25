import { beforeAll, describe, expect, test } from 'vitest';
import { newId } from '#lib/base/ids.ts';
import { hl7Feed } from '#lib/infra/db/schema/hl7.ts';
import { callApi, expectOutcome } from '#lib/testing/call-api.ts';
import { db } from '#lib/testing/set-up/own-db.ts';
import { createWorld, signIn, type World } from '#lib/testing/world.ts';

let world: World;

beforeAll(async () => {
  world = await createWorld();
});

const fhir = (method: string, path: string, body?: object) =>
  callApi(world.owner.bearer, method, `/fhir/R4/${path}`, { body });

async function makeBot(name: string, more: object = {}): Promise<string> {
  const answer = await world.call('POST', '/bot', { body: { name, ...more } });
  expect(answer.status, answer.text).toBe(201);
  return answer.body.id;
}

type Row = { id: string; triggers: string[] } & Record<string, unknown>;
const rows = async (): Promise<Row[]> => (await world.call('GET', '/bots')).body.rows;
const rowOf = async (id: string) => (await rows()).find((row) => row.id === id)!;

async function subscribe(endpoint: string, status = 'active'): Promise<string> {
  const channel = { type: 'rest-hook', endpoint, payload: 'application/fhir+json' };
  const body = { resourceType: 'Subscription', status, reason: 'x', criteria: 'Patient', channel };
  const answer = await fhir('POST', 'Subscription', body);
  expect(answer.status, answer.text).toBe(201);
  return answer.body.id;
}

describe('what runs a bot', () => {
  test('is told with it: Subscriptions by its id or an identifier of its alone, times, webhooks, feeds and mail', async () => {
    const identifier = [{ system: 'https://example.com', value: 'intake' }];
    const by = {
      none: await makeBot('None'),
      id: await makeBot('By id'),
      name: await makeBot('By name', { identifier }),
      time: await makeBot('By time', { cronString: '0 4 * * *' }),
      hook: await makeBot('By webhook', { publicWebhook: true }),
      feed: await makeBot('By feed'),
      mail: await makeBot('By mail'),
      off: await makeBot('By a Subscription that is off'),
    };
    const subscription = await subscribe(`Bot/${by.id}`);
    await subscribe(`Bot/$execute?identifier=https://example.com|intake`);
    await subscribe(`Bot/${by.off}`, 'off');
    await subscribe('https://example.com/hook');
    const feed = {
      id: newId(),
      projectId: world.projectId,
      name: 'Lab',
      tls: true,
      addresses: [],
      answer: 'bot' as const,
    };
    await db()
      .insert(hl7Feed)
      .values({ ...feed, botId: by.feed, certificate: 'c', active: true });
    await world.call('POST', '/settings', { body: [{ name: 'botMailBounces', valueString: `Bot/${by.mail}` }] });
    const told = new Map((await rows()).map(({ id, triggers }) => [id, triggers]));
    const found = Object.fromEntries(Object.entries(by).map(([name, id]) => [name, told.get(id)]));
    expect(found).toEqual({
      ...{ none: [], id: ['subscription'], name: ['subscription'], time: ['cron'], hook: ['webhook'], off: [] },
      feed: ['hl7'],
      mail: ['mail'],
    });
    // Two have the identifier: the Subscription reaches neither.
    await makeBot('Another of the name', { identifier });
    expect((await rowOf(by.name)).triggers).toEqual([]);
    await fhir('DELETE', `Subscription/${subscription}`);
    expect((await rowOf(by.id)).triggers).toEqual([]);
  });

  test('who made it, its categories, and whether it is off', async () => {
    const id = await makeBot('Sorted', {
      category: [{ text: 'Lab' }, { coding: [{ code: 'adt', display: 'Admissions' }] }],
    });
    const row = await rowOf(id);
    expect(row).toMatchObject({ category: ['Lab', 'Admissions'], isOff: false });
    expect(row.madeBy).toEqual({ reference: `User/${world.owner.userId}`, display: expect.any(String) });
    const patch = [{ op: 'add', path: '/active', value: false }];
    expect((await world.call('PATCH', `/members/${row.membershipId}`, { body: patch })).status).toBe(200);
    expect(await rowOf(id)).toMatchObject({ isOff: true });
    // Nor with the rights of who asks.
    await fhir('POST', `Bot/${id}/$deploy`, { code: 'export const handler = () => 1;', filename: 'index.ts' });
    expectOutcome(await fhir('POST', `Bot/${id}/$execute`, {}), 400);
    const bot = (await fhir('GET', `Bot/${id}`)).body;
    expect((await fhir('PUT', `Bot/${id}`, { ...bot, runAsUser: true })).status).toBe(200);
    expectOutcome(await fhir('POST', `Bot/${id}/$execute`, {}), 400);
  });
});

describe('a duplicate', () => {
  test('has the source with its files, how it runs and the access; not what makes it run, and nothing live', async () => {
    const { body: policy } = await fhir('POST', 'AccessPolicy', {
      resourceType: 'AccessPolicy',
      name: 'P',
      resource: [{ resourceType: 'Patient' }],
    });
    const accessPolicy = { reference: `AccessPolicy/${policy.id}` };
    const identifier = [{ value: 'first' }];
    const says = {
      description: 'Of the lab',
      category: [{ text: 'Lab' }],
      timeout: 20,
      rawBody: true,
      allowedHost: ['lab.example'],
    };
    const first = await makeBot('First', {
      ...says,
      identifier,
      cronString: '0 4 * * *',
      publicWebhook: true,
      accessPolicy,
    });
    const source = {
      code: "import { two } from './two'; export const handler = () => two;",
      filename: 'src/index.ts',
      files: [{ filename: 'src/two.ts', content: 'export const two = 2;' }],
    };
    expect((await world.call('PUT', `/bots/${first}/source`, { body: source })).status).toBe(200);
    await fhir('POST', `Bot/${first}/$deploy`, source);
    await world.call('PUT', `/bots/${first}/secrets/KEY`, { body: { valueString: 'hush' } });
    const made = await world.call('POST', `/bots/${first}/duplicate`, { body: { name: 'Second' } });
    expect(made.status, made.text).toBe(201);
    const { id } = made.body;
    const { body: bot } = await fhir('GET', `Bot/${id}`);
    expect(bot).toMatchObject({ name: 'Second', ...says });
    for (const name of ['identifier', 'cronString', 'publicWebhook', 'executableCode'])
      expect(bot[name]).toBeUndefined();
    expect((await world.call('GET', `/bots/${id}/source`)).body).toMatchObject(source);
    expect(await rowOf(id)).toMatchObject({ live: null, draft: true, triggers: [] });
    expect((await world.call('GET', `/bots/${id}/secrets`)).body.rows).toEqual([]);
    const { body: found } = await fhir('GET', `ProjectMembership?user=Bot/${id}`);
    expect(found.entry[0].resource).toMatchObject({
      accessPolicy,
      profile: { reference: `Bot/${id}`, display: 'Second' },
    });
    expect((await fhir('POST', `Bot/${id}/$deploy`, source)).status).toBe(200);
    expect((await fhir('POST', `Bot/${id}/$execute`, {})).text).toBe('2');
    const { body: log } = await world.call('GET', `/audit?action=bot.create&target=Bot/${id}`);
    expect(JSON.stringify(log)).toContain(`Bot/${first}`);
  });

  test('of a bot whose source is its own beginning; 400, 403, 404 and 410', async () => {
    const id = await makeBot('Plain');
    const path = `/bots/${id}/duplicate`;
    expect((await world.call('POST', path, { body: { name: 'Copy' } })).status).toBe(201);
    expectOutcome(await world.call('POST', path, { body: {} }), 400, 'name');
    expectOutcome(await world.call('POST', path, { body: { name: 'x', timeout: 2 } }), 400);
    const member = await world.invite();
    const bearer = await signIn(world.projectId, member.id, member.user.reference);
    expectOutcome(await world.call('POST', path, { body: { name: 'Copy' }, bearer }), 403);
    const other = await createWorld();
    expectOutcome(await other.call('POST', path, { body: { name: 'Copy' } }), 404);
    expectOutcome(await world.call('POST', path, { body: { name: 'Copy' }, bearer: other.owner.bearer }), 403);
    await fhir('DELETE', `Bot/${id}`);
    expectOutcome(await world.call('POST', path, { body: { name: 'Copy' } }), 410);
  });
});
