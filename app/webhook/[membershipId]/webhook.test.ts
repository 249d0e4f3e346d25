import { createHmac } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '#lib/base/ids.ts';
import { throttle } from '#lib/domain/limits/throttle.ts';
import { flushRuns } from '#lib/domain/runs/record/record-run.ts';
import { stopRunner } from '#lib/domain/runs/runner.ts';
import { hashSecret } from '#lib/infra/crypto/secret.ts';
import { botRun } from '#lib/infra/db/schema/bots.ts';
import { idempotencyKey } from '#lib/infra/db/schema/operations.ts';
import { deployedBot } from '#lib/testing/bots.ts';
import { type Call, callApi, expectOutcome } from '#lib/testing/call-api.ts';
import { make } from '#lib/testing/invites.ts';
import { makeClient } from '#lib/testing/people.ts';
import { db } from '#lib/testing/set-up/own-db.ts';
import { createWorld, type World } from '#lib/testing/world.ts';

let world: World;
let accessPolicy: { reference: string };

beforeAll(async () => {
  world = await createWorld();
  accessPolicy = await policy([{ resourceType: 'Patient', readonly: true }]);
});
afterAll(async () => {
  await flushRuns();
  await stopRunner();
});

async function policy(resource: object[]): Promise<{ reference: string }> {
  return { reference: `AccessPolicy/${(await make(world, 'AccessPolicy', { resource })).id}` };
}

const ECHO = 'export async function handler(m: any, e: any) { return e.input; }';

/** A deployed bot; returns it with its membership. */
async function makeBot(code = ECHO, fields: Record<string, unknown> = { publicWebhook: true, accessPolicy }) {
  const id = await deployedBot(world, code, fields);
  const path = `/fhir/R4/ProjectMembership?profile=Bot/${id}`;
  const found = await callApi(world.owner.bearer, 'GET', path);
  return { id, membershipId: found.body.entry[0].resource.id as string };
}

const call = (membershipId: string, given: Call = {}, method = 'POST') =>
  callApi(undefined, method, `/webhook/${membershipId}`, given);
const json = (value: unknown): Call => ({
  body: JSON.stringify(value),
  headers: { 'content-type': 'application/json' },
});

describe('anybody who knows the address runs the bot', () => {
  test('by POST and by GET, with input and answer as those of $execute', async () => {
    const { membershipId } = await makeBot();
    const posted = await call(membershipId, json({ a: [1] }));
    expect([posted.status, posted.body]).toEqual([200, { a: [1] }]);
    const got = await callApi(undefined, 'GET', `/webhook/${membershipId}?a=1&identifier=2`);
    expect([got.status, got.body]).toEqual([200, { a: '1', identifier: '2' }]);
    const text = await call(membershipId, { body: 'hi', headers: { 'content-type': 'text/plain' } });
    expect([text.headers.get('content-type'), text.text]).toEqual(['text/plain; charset=utf-8', 'hi']);
    const { membershipId: broken } = await makeBot("export async function handler() { throw new Error('no'); }");
    expectOutcome(await call(broken, json({})), 400);
    expectOutcome(await call(membershipId, { body: '<a/>', headers: { 'content-type': 'application/xml' } }), 415);
  });

  test('under the addressed membership and its policy, also with runAsUser, and the run is on record', async () => {
    const code = `export async function handler(m: any, e: any) {
      const found = await m.searchResources('Patient', {});
      const refused = await m.createResource({ resourceType: 'Patient' }).catch((error: any) => error.outcome.id);
      return { found: found.length, refused, requester: e.requester.reference, headers: Object.keys(e.headers) };
    }`;
    await make(world, 'Patient', {});
    const { id, membershipId } = await makeBot(code, { publicWebhook: true, runAsUser: true, accessPolicy });
    const headers = {
      authorization: 'Bearer x',
      cookie: 'a=b',
      'x-signature': 's',
      'content-type': 'application/json',
    };
    const answer = await call(membershipId, { body: '{}', headers });
    expect(answer.body).toMatchObject({ refused: 'forbidden', requester: `Bot/${id}` });
    expect(answer.body.found).toBeGreaterThan(0);
    expect(answer.body.headers).toContain('x-signature');
    expect(answer.body.headers).not.toEqual(expect.arrayContaining(['authorization']));
    expect(answer.body.headers).not.toEqual(expect.arrayContaining(['cookie']));
    await flushRuns();
    const [run] = await db().select().from(botRun).where(eq(botRun.botId, id));
    expect([run!.trigger, run!.status]).toEqual(['webhook', 'ok']);
  });
});

describe('403', () => {
  test('for a bot that is not for the world, one that no policy limits, and what is no bot', async () => {
    const closed = await makeBot(ECHO, { accessPolicy });
    const free = await makeBot(ECHO, { publicWebhook: true });
    const client = await makeClient(world.projectId);
    for (const id of [closed.membershipId, free.membershipId, client.membershipId, world.owner.membershipId]) {
      expectOutcome(await call(id, json({})), 403);
      expectOutcome(await call(id, {}, 'GET'), 403);
    }
  });

  test('from the moment on that it is closed, or its membership stopped', async () => {
    const { id, membershipId } = await makeBot();
    expect((await call(membershipId, json({}))).status).toBe(200);
    const bot = (await callApi(world.owner.bearer, 'GET', `/fhir/R4/Bot/${id}`)).body;
    await callApi(world.owner.bearer, 'PUT', `/fhir/R4/Bot/${id}`, { body: { ...bot, publicWebhook: false } });
    expectOutcome(await call(membershipId, json({})), 403);
    await callApi(world.owner.bearer, 'PUT', `/fhir/R4/Bot/${id}`, { body: { ...bot, publicWebhook: true } });
    expect((await call(membershipId, json({}))).status).toBe(200);
    const body = [{ op: 'add', path: '/active', value: false }];
    expect((await world.call('PATCH', `/members/${membershipId}`, { body })).status).toBe(200);
    expectOutcome(await call(membershipId, json({})), 403);
  });
});

test('404 for an id that nothing has, before anything is said of the body; 405 for another method', async () => {
  for (const id of [newId(), 'nonsense']) expectOutcome(await call(id, { body: '{' }), 404);
  const { membershipId } = await makeBot();
  expectOutcome(await call(membershipId, json({}), 'PUT'), 405);
});

describe('429 for an address that calls without end', () => {
  const remote = '192.0.2.77';
  const from = { headers: { 'x-gatehouse-remote': remote, 'content-type': 'application/json' } };
  /** As if it had called so often. */
  const spend = async (key: string, count: number) => {
    await throttle(`webhook-from:${remote}${key}`, 1e9);
    await db().execute(
      sql`update rate_counter set count = ${count} where key = ${hashSecret(`webhook-from:${remote}${key}`)}`,
    );
  };

  test('one bot, and no other of the same sender', async () => {
    const [{ membershipId }, other] = [await makeBot(), await makeBot()];
    await spend(`:${membershipId}:open`, 6000);
    const answer = await call(membershipId, { ...from, body: '{}' });
    expectOutcome(answer, 429);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await call(other.membershipId, { ...from, body: '{}' })).status).toBe(200);
    expect((await call(membershipId, json({}))).status).toBe(200);
  });

  test('addresses that no bot has, whichever', async () => {
    expectOutcome(await call(newId(), { ...from, body: '{}' }), 404);
    await spend('', 6000);
    expectOutcome(await call(newId(), { ...from, body: '{}' }), 429);
    expectOutcome(await call(world.owner.membershipId, { ...from, body: '{}' }), 429);
    expect((await call((await makeBot()).membershipId, { ...from, body: '{}' })).status).toBe(200);
  });
});

describe('a bot whose senders sign takes what they have signed, and nothing else', () => {
  const KEY = 'a key of the project';
  const body = '{"a": [1] }';
  const now = () => Math.floor(Date.now() / 1000);
  const hmac = (text: string, encoding: 'hex' | 'base64' = 'hex', key: string | Buffer = KEY) =>
    createHmac('sha256', key).update(text).digest(encoding);

  const PRESETS: [
    preset: string,
    header: string | undefined,
    sign: (text: string, at: number) => Record<string, string>,
  ][] = [
    ['github', undefined, (text) => ({ 'x-hub-signature-256': `sha256=${hmac(text)}` })],
    [
      'stripe',
      undefined,
      (text, at) => ({ 'stripe-signature': `t=${at},v1=${'0'.repeat(64)},v1=${hmac(`${at}.${text}`)}` }),
    ],
    [
      'slack',
      undefined,
      (text, at) => ({
        'x-slack-request-timestamp': String(at),
        'x-slack-signature': `v0=${hmac(`v0:${at}:${text}`)}`,
      }),
    ],
    ['shopify', undefined, (text) => ({ 'x-shopify-hmac-sha256': hmac(text, 'base64') })],
    ['hex', 'X-Sig', (text) => ({ 'x-sig': hmac(text) })],
    ['base64', 'X-Sig', (text) => ({ 'x-sig': hmac(text, 'base64') })],
    [
      'standard-webhooks',
      undefined,
      (text, at) => ({
        'webhook-id': 'msg_1',
        'webhook-timestamp': String(at),
        'webhook-signature': `v1a,x v1,${hmac(`msg_1.${at}.${text}`, 'base64', Buffer.from(KEY))}`,
      }),
    ],
  ];

  test.each(PRESETS)('%s', async (preset, header, sign) => {
    const whsec = `whsec_${Buffer.from(KEY).toString('base64')}`;
    const secrets = [
      { name: 'plain', valueString: KEY },
      { name: 'standard', valueString: whsec },
    ];
    expect((await world.call('POST', '/secrets', { body: secrets })).status).toBe(200);
    const parts = [
      { url: 'preset', valueCode: preset },
      { url: 'secret', valueString: preset === 'standard-webhooks' ? 'standard' : 'plain' },
      ...(header ? [{ url: 'header', valueString: header }] : []),
    ];
    const extension = [{ url: 'urn:gatehouse:bot-webhook-signature', extension: parts }];
    const fields = { publicWebhook: true, rawBody: true, accessPolicy, extension };
    const { id, membershipId } = await makeBot(ECHO, fields);
    const send = (text: string, headers: Record<string, string>) =>
      call(membershipId, { body: text, headers: { 'content-type': 'application/json', ...headers } });
    const good = await send(body, sign(body, now()));
    // To the byte, as it was signed.
    expect([good.status, good.text]).toEqual([200, body]);
    expectOutcome(await send(`${body} `, sign(body, now())), 401);
    expectOutcome(await send(body, {}), 401);
    if (['stripe', 'slack', 'standard-webhooks'].includes(preset))
      expectOutcome(await send(body, sign(body, now() - 400)), 401);
    // The query of a GET is signed by nobody.
    expectOutcome(await call(`${membershipId}?a=1`, { headers: sign('', now()) }, 'GET'), 401);
    await world.call('POST', '/secrets', { body: [{ name: 'other', valueString: KEY }] });
    expectOutcome(await send(body, sign(body, now())), 401);
    await flushRuns();
    expect(await db().select().from(botRun).where(eq(botRun.botId, id))).toHaveLength(1);
  });

  test('a key of Standard Webhooks is taken with its prefix and without', async () => {
    const bytes = Buffer.from('key-of-24-bytes-exactly!');
    const { send } = await counting('standard-webhooks');
    const signed = (id: string, key: Buffer | string) => {
      const at = now();
      const signature = hmac(`${id}.${at}.{}`, 'base64', key);
      return { 'webhook-id': id, 'webhook-timestamp': String(at), 'webhook-signature': `v1,${signature}` };
    };
    const text = bytes.toString('base64');
    for (const [valueString, statuses] of [
      [`whsec_${text}`, [200, 401]],
      [text, [200, 200]],
    ] as const) {
      await world.call('POST', '/secrets', { body: [{ name: 'plain', valueString }] });
      const answers = [
        await send('{}', signed(`${valueString}-1`, bytes)),
        await send('{}', signed(`${valueString}-2`, text)),
      ];
      expect(answers.map(({ status }) => status)).toEqual(statuses);
    }
  });

  /** A bot that counts by what it makes, and fails where the input says so; resolves to what sends it a body. */
  async function counting(preset: string, parts: object[] = []) {
    await world.call('POST', '/secrets', { body: [{ name: 'plain', valueString: KEY }] });
    const both = [{ url: 'preset', valueCode: preset }, { url: 'secret', valueString: 'plain' }, ...parts];
    const extension = [{ url: 'urn:gatehouse:bot-webhook-signature', extension: both }];
    const code = `export async function handler(m: any, e: any) {
      if (e.input.fail) throw new Error('not now');
      return { ran: Math.random() };
    }`;
    const made = await makeBot(code, { publicWebhook: true, accessPolicy, extension });
    const send = (text: string, headers: Record<string, string>) =>
      call(made.membershipId, { body: text, headers: { 'content-type': 'application/json', ...headers } });
    return { ...made, send };
  }

  const standard = (id: string, text: string, at = now()) => ({
    'webhook-id': id,
    'webhook-timestamp': String(at),
    'webhook-signature': `v1,${hmac(`${id}.${at}.${text}`, 'base64')}`,
  });

  test('what comes again with its id is answered as it was, however it is signed anew, and runs once', async () => {
    const { id, send } = await counting('standard-webhooks');
    const first = await send('{"n":1}', standard('msg_again', '{"n":1}'));
    const again = await send('{"n":1}', standard('msg_again', '{"n":1}', now() - 5));
    expect([again.status, again.text]).toEqual([200, first.text]);
    expect([first, again].map(({ headers }) => headers.get('idempotent-replayed'))).toEqual([null, 'true']);
    const other = await send('{"n":1}', standard('msg_other', '{"n":1}'));
    expect(other.text).not.toBe(first.text);
    await flushRuns();
    expect(await db().select().from(botRun).where(eq(botRun.botId, id))).toHaveLength(2);
  });

  test('large ones are signed, too, several at once, and one that is not signed leaves its place', async () => {
    const { id, send } = await counting('standard-webhooks');
    const text = JSON.stringify({ large: 'x'.repeat(2 * 1024 * 1024) });
    const forged = await send(text, standard('msg_forged', '{}'));
    expectOutcome(forged, 401);
    const names = ['msg_l1', 'msg_l2', 'msg_l3', 'msg_l4'];
    const answers = await Promise.all(names.map((name) => send(text, standard(name, text))));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    await flushRuns();
    expect(await db().select().from(botRun).where(eq(botRun.botId, id))).toHaveLength(4);
  });

  test('who has a sender call in vain, from the address of the sender, shuts it out nowhere', async () => {
    const { membershipId, send } = await counting('standard-webhooks');
    const remote = { 'x-gatehouse-remote': '192.0.2.78' };
    expectOutcome(await send('{}', { ...standard('msg_f', 'x'), ...remote }), 401);
    const key = hashSecret(`webhook-from:192.0.2.78:${membershipId}:forged`);
    await db().execute(sql`update rate_counter set count = 6000 where key = ${key}`);
    expectOutcome(await send('{}', { ...standard('msg_f', 'x'), ...remote }), 429);
    expect((await send('{}', { ...standard('msg_g', '{}'), ...remote })).status).toBe(200);
  });

  test('of two that come at the same moment one runs, and the other may come again', async () => {
    const { id, send } = await counting('standard-webhooks');
    const sent = () => send('{}', standard('msg_both', '{}'));
    const answers = await Promise.all([sent(), sent(), sent()]);
    for (const { status } of answers) expect([200, 409]).toContain(status);
    expect((await sent()).status).toBe(200);
    await flushRuns();
    expect(await db().select().from(botRun).where(eq(botRun.botId, id))).toHaveLength(1);
  });

  test('one that failed is run when it comes again', async () => {
    const { id, send } = await counting('standard-webhooks');
    const text = '{"fail":true}';
    for (let time = 0; time < 2; time += 1) expectOutcome(await send(text, standard('msg_fails', text)), 400);
    await flushRuns();
    expect(await db().select().from(botRun).where(eq(botRun.botId, id))).toHaveLength(2);
  });

  test('events of Stripe and Slack are known by the id that is signed within them', async () => {
    const at = now();
    const stripe = await counting('stripe');
    const sign = (text: string, time: number) => ({ 'stripe-signature': `t=${time},v1=${hmac(`${time}.${text}`)}` });
    const event = '{"id":"evt_1"}';
    const [one, two] = [await stripe.send(event, sign(event, at)), await stripe.send(event, sign(event, at - 9))];
    expect(two.text).toBe(one.text);
    const slack = await counting('slack');
    const signed = (text: string, time: number) => ({
      'x-slack-request-timestamp': String(time),
      'x-slack-signature': `v0=${hmac(`v0:${time}:${text}`)}`,
    });
    const told = '{"event_id":"Ev1"}';
    const [three, four] = [await slack.send(told, signed(told, at)), await slack.send(told, signed(told, at - 9))];
    expect(four.text).toBe(three.text);
  });

  test('a signature without an id or a time is known within the tolerance, and another bot knows nothing of it', async () => {
    const parts = [
      { url: 'header', valueString: 'x-sig' },
      { url: 'tolerance', valueInteger: 60 },
    ];
    const { membershipId, send } = await counting('hex', parts);
    const sent = () => send('{}', { 'x-sig': hmac('{}') });
    const first = await sent();
    expect((await sent()).text).toBe(first.text);
    const other = await counting('hex', parts);
    expect((await other.send('{}', { 'x-sig': hmac('{}') })).text).not.toBe(first.text);
    await db()
      .update(idempotencyKey)
      .set({ createdAt: new Date(Date.now() - 61_000) })
      .where(eq(idempotencyKey.membershipId, membershipId));
    expect((await sent()).text).not.toBe(first.text);
  });

  test('a key of no bytes signs nothing', async () => {
    await world.call('POST', '/secrets', { body: [{ name: 'empty', valueString: 'whsec_' }] });
    const parts = [
      { url: 'preset', valueCode: 'standard-webhooks' },
      { url: 'secret', valueString: 'empty' },
    ];
    const extension = [{ url: 'urn:gatehouse:bot-webhook-signature', extension: parts }];
    const { membershipId } = await makeBot(ECHO, { publicWebhook: true, accessPolicy, extension });
    const at = String(now());
    const signature = `v1,${hmac(`msg_1.${at}.${body}`, 'base64', '')}`;
    const headers = { 'webhook-id': 'msg_1', 'webhook-timestamp': at, 'webhook-signature': signature };
    const sent = { body, headers: { 'content-type': 'application/json', ...headers } };
    expectOutcome(await call(membershipId, sent), 401);
  });

  test.each([
    [[{ url: 'preset', valueCode: 'gitlab' }]],
    [[{ url: 'preset', valueCode: 'github' }]],
    [
      [
        { url: 'preset', valueCode: 'hex' },
        { url: 'secret', valueString: 'x' },
      ],
    ],
    [
      [
        { url: 'preset', valueCode: 'slack' },
        { url: 'secret', valueString: 'x' },
        { url: 'more', valueString: 'x' },
      ],
    ],
  ])('%j is refused by name', async (parts) => {
    const extension = [{ url: 'urn:gatehouse:bot-webhook-signature', extension: parts }];
    const made = await world.call('POST', '/bot', { body: { name: 'x', extension } });
    expect([made.status, made.body.issue?.[0].expression]).toEqual([422, ['Bot.extension[0]']]);
  });
});
