import { eq } from 'drizzle-orm';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { stopRunner } from '#lib/domain/runs/runner.ts';
import { unseal } from '#lib/infra/crypto/seal.ts';
import { mail } from '#lib/infra/db/schema/operations.ts';
import { SEALED } from '#lib/infra/mail/sealed.ts';
import { deployedBot } from '#lib/testing/bots.ts';
import { callApi, expectOutcome } from '#lib/testing/call-api.ts';
import { makeClient } from '#lib/testing/people.ts';
import { db } from '#lib/testing/set-up/own-db.ts';
import { createWorld, type World } from '#lib/testing/world.ts';

afterAll(stopRunner);
let world: World;
let other: World;
beforeAll(async () => {
  [world, other] = [await createWorld(), await createWorld()];
});

const MAIL = { to: 'ann@example.com', subject: 'Hello', text: 'Your results are there.' };
const send = (bearer: string | undefined, body: unknown, headers = {}) =>
  callApi(bearer, 'POST', '/email/v1/send', { body, headers });

const TOKEN = 'export async function handler(medplum) { return { token: medplum.getAccessToken() }; }';

async function botWithToken(fields: Record<string, unknown> = {}): Promise<{ bot: string; token: string }> {
  const bot = await deployedBot(world, TOKEN, fields);
  const answer = await callApi(world.owner.bearer, 'POST', `/fhir/R4/Bot/${bot}/$execute`, { body: {} });
  return { bot, token: answer.body.token };
}

describe('200', () => {
  test('an administrator and a bot with its own token send a mail, with all that it may have', async () => {
    const full = {
      ...{
        to: ['ann@example.com', { name: 'Ben', address: 'ben@example.com' }],
        cc: 'c@example.com',
        bcc: 'd@example.com',
      },
      ...{ replyTo: 'e@example.com', subject: 'Hello', html: '<p>Hello</p>' },
      attachments: [{ filename: 'a.txt', content: 'eA==', encoding: 'base64', contentType: 'text/plain' }],
    };
    expect((await send(world.owner.bearer, MAIL)).body).toMatchObject({ resourceType: 'OperationOutcome', id: 'ok' });
    const { token } = await botWithToken();
    expect(await send(`Bearer ${token}`, full)).toMatchObject({ status: 200, body: { id: 'ok' } });
  });
});

describe('400', () => {
  const { to, ...nobody } = MAIL;
  const { text, ...empty } = MAIL;
  test.each<[string, unknown, string]>([
    ['nobody to send to', nobody, 'to'],
    ['no address', { ...MAIL, to: 'ann' }, 'to'],
    ['an empty list', { ...MAIL, to: [] }, 'to'],
    ['more than fifty', { ...MAIL, cc: Array.from({ length: 51 }, (_, at) => `p${at}@example.com`) }, 'cc'],
    ['an address that would be another header', { ...MAIL, to: 'a@example.com\r\nBcc: b@example.com' }, 'to'],
    ['a subject that would be another header', { ...MAIL, subject: 'a\r\nBcc: b@example.com' }, 'subject'],
    ['no subject', { ...MAIL, subject: '' }, 'subject'],
    ['neither text nor html', empty, 'text'],
    ['a sender of its own', { ...MAIL, from: 'boss@example.com' }, 'from'],
    ...[
      '/etc/passwd',
      './Binary/1',
      'file:///etc/passwd',
      'https://example.com/a',
      'data:,a',
      'Patient/1',
      '#1',
      'http://localhost:3999/admin/projects',
    ].map((path): [string, unknown, string] => [
      `an attachment from ${path}`,
      { ...MAIL, attachments: [{ filename: 'a', path }] },
      'attachments[0].path',
    ]),
    [
      'an attachment named as a path',
      { ...MAIL, attachments: [{ filename: '../a', content: '' }] },
      'attachments[0].filename',
    ],
    [
      'attachments that are too large',
      { ...MAIL, attachments: [{ filename: 'a', content: 'x'.repeat(2_000_000) }] },
      'attachments',
    ],
  ])('%s', async (_, body, expression) => {
    const answer = await send(world.owner.bearer, body);
    expect(answer.status, answer.text).toBe(400);
    const told = answer.body.issue.map((issue: { expression?: string[] }) => issue.expression?.[0]);
    expect(
      told.some((one: string | undefined) => one?.startsWith(expression)),
      answer.text,
    ).toBe(true);
  });

  test('no JSON', async () => {
    expectOutcome(await send(world.owner.bearer, '{', { 'content-type': 'application/json' }), 400);
  });
});

describe('an attachment that is a Binary', () => {
  async function keep(of: World, bytes: string | Uint8Array, headers: Record<string, string> = {}): Promise<string> {
    const body = Buffer.from(bytes);
    const typed = { 'content-type': 'application/pdf', ...headers };
    return `Binary/${(await callApi(of.owner.bearer, 'POST', '/fhir/R4/Binary', { body, headers: typed })).body.id}`;
  }
  const withFiles = (...attachments: object[]) => ({ ...MAIL, attachments });

  async function queued(recipient: string): Promise<unknown> {
    const [row] = await db().select().from(mail).where(eq(mail.recipient, recipient));
    return JSON.parse(unseal(SEALED.mail.purpose, row!.paramsSealed!));
  }

  test('goes along with what it has, by Type/id, a version, or our address of it', async () => {
    const path = await keep(world, 'one');
    await callApi(world.owner.bearer, 'PUT', `/fhir/R4/${path}`, {
      body: Buffer.from('two'),
      headers: { 'content-type': 'text/plain' },
    });
    const code = `export const handler = (medplum, { input }) => medplum.sendEmail(input);`;
    const bot = await deployedBot(world, code);
    const to = 'with-files@example.com';
    const paths = [
      { path: `${path}/_history/1` },
      { path: `http://localhost:3999/fhir/R4/${path}`, filename: 'b.csv' },
    ];
    const body = { ...withFiles(...paths, { path, filename: 'c', contentType: 'text/csv', cid: 'c' }), to };
    const answer = await callApi(world.owner.bearer, 'POST', `/fhir/R4/Bot/${bot}/$execute`, { body });
    expect(answer.status, answer.text).toBe(200);
    const two = Buffer.from('two').toString('base64');
    expect(await queued(to)).toEqual({
      ...{ to: [to], subject: MAIL.subject, text: MAIL.text },
      attachments: [
        {
          filename: 'attachment-1.bin',
          contentType: 'application/pdf',
          content: Buffer.from('one').toString('base64'),
        },
        { filename: 'b.csv', contentType: 'text/plain', content: two },
        { filename: 'c', contentType: 'text/csv', contentId: 'c', content: two },
      ],
    });
  });

  test('404 for one of another project, for none, and for one whose context the bot may not read', async () => {
    const patient = await callApi(world.owner.bearer, 'POST', '/fhir/R4/Patient', {
      body: { resourceType: 'Patient' },
    });
    const resource = [{ resourceType: 'Binary' }, { resourceType: 'Task' }];
    const policy = { resourceType: 'AccessPolicy', name: 'Files', resource };
    const made = await callApi(world.owner.bearer, 'POST', '/fhir/R4/AccessPolicy', { body: policy });
    const { token } = await botWithToken({ accessPolicy: { reference: `AccessPolicy/${made.body.id}` } });
    const theirs = await keep(world, 'x', { 'x-security-context': `Patient/${patient.body.id}` });
    const own = await keep(world, 'x');
    expect((await send(`Bearer ${token}`, withFiles({ path: own }))).status).toBe(200);
    expect((await send(world.owner.bearer, withFiles({ path: theirs }))).status).toBe(200);
    for (const path of [theirs, await keep(other, 'x'), 'Binary/none', `Binary/${patient.body.id}`])
      expectOutcome(await send(`Bearer ${token}`, withFiles({ path: own }, { path })), 404);
  });

  test('400 for more than a mail has, alone and together', async () => {
    const half = await keep(world, new Uint8Array(800_000));
    const all = await keep(world, new Uint8Array(3_000_000));
    expectOutcome(await send(world.owner.bearer, withFiles({ path: half }, { path: half })), 400, 'attachments');
    expectOutcome(await send(world.owner.bearer, withFiles({ path: all })), 400, 'attachments');
    expect((await send(world.owner.bearer, withFiles({ path: half }))).status).toBe(200);
  });
});

test('bytes of a bot are an attachment whatever holds them, also large ones', async () => {
  const to = 'with-bytes@example.com';
  const code = `export const handler = (medplum) => medplum.sendEmail({ to: '${to}', subject: 'a', text: 'b', attachments: [
    { filename: 'a', content: Buffer.alloc(700000, 1) }, { filename: 'b', content: new Uint8Array(300000) },
    { filename: 'c', content: new TextEncoder().encode('hello').buffer }, { filename: 'd', content: 'text' }] });`;
  const bot = await deployedBot(world, code);
  const answer = await callApi(world.owner.bearer, 'POST', `/fhir/R4/Bot/${bot}/$execute`, { body: {} });
  expect(answer.status, answer.text).toBe(200);
  const [row] = await db().select().from(mail).where(eq(mail.recipient, to));
  const { attachments } = JSON.parse(unseal(SEALED.mail.purpose, row!.paramsSealed!));
  const sizes = attachments.map(({ content }: { content: string }) => Buffer.from(content, 'base64').length);
  expect(sizes).toEqual([700_000, 300_000, 5, 4]);
});

test('what is refused is not counted as sent', async () => {
  const fresh = await createWorld();
  const missing = { ...MAIL, attachments: [{ path: 'Binary/none' }] };
  for (let times = 0; times < 205; times += 1) expect((await send(fresh.owner.bearer, missing)).status).toBe(404);
  expect((await send(fresh.owner.bearer, MAIL)).status).toBe(200);
});

test('401: nobody, and a token that is none', async () => {
  expectOutcome(await send(undefined, MAIL), 401);
  expectOutcome(await send('Bearer nothing', MAIL), 401);
});

test('403: a program of the project that is no administrator', async () => {
  const { basic } = await makeClient(world.projectId, {});
  expectOutcome(await send(basic, MAIL), 403);
});

test('413: more than six MiB', async () => {
  expectOutcome(await send(world.owner.bearer, { ...MAIL, text: 'x'.repeat(7 * 1024 * 1024) }), 413);
});

test('415: another type', async () => {
  expectOutcome(await send(world.owner.bearer, 'to=a', { 'content-type': 'application/x-www-form-urlencoded' }), 415);
});

test('429: two hundred in an hour, whoever of the project sends them; another project is not held up', async () => {
  const statuses: number[] = [];
  for (let sent = 0; sent < 201; sent += 1) statuses.push((await send(other.owner.bearer, MAIL)).status);
  expect(statuses.filter((status) => status !== 200)).toEqual([429]);
  expect(statuses.at(-1)).toBe(429);
  expect((await send(world.owner.bearer, MAIL)).status).toBe(200);
});

describe('the token of a bot', () => {
  const as = (token: string, method: string, path: string, body?: object) =>
    callApi(`Bearer ${token}`, method, path, { body });

  test('is that of the bot itself, and short-lived', async () => {
    const { bot, token } = await botWithToken();
    const { iat, exp } = decodeJwt(token);
    expect(exp! - iat!).toBeLessThanOrEqual(20 * 60);
    expect((await as(token, 'GET', '/auth/me')).body.profile).toMatchObject({ resourceType: 'Bot', id: bot });
  });

  test('has the rights of the bot, and no others', async () => {
    const policy = { resourceType: 'AccessPolicy', name: 'Tasks', resource: [{ resourceType: 'Task' }] };
    const made = await callApi(world.owner.bearer, 'POST', '/fhir/R4/AccessPolicy', { body: policy });
    const { token } = await botWithToken({ accessPolicy: { reference: `AccessPolicy/${made.body.id}` } });
    const task = { resourceType: 'Task', status: 'requested', intent: 'order' };
    expect((await as(token, 'POST', '/fhir/R4/Task', task)).status).toBe(201);
    expectOutcome(await as(token, 'POST', '/fhir/R4/Patient', { resourceType: 'Patient' }), 403);
    expectOutcome(await as(token, 'GET', `/admin/projects/${world.projectId}/runs`), 403);
  });

  test('is good in its project alone', async () => {
    const theirs = await callApi(other.owner.bearer, 'POST', '/fhir/R4/Patient', { body: { resourceType: 'Patient' } });
    const { token } = await botWithToken();
    expectOutcome(await as(token, 'GET', `/fhir/R4/Patient/${theirs.body.id}`), 404);
    expectOutcome(await as(token, 'GET', `/admin/projects/${other.projectId}/runs`), 403);
  });

  test('ends with the bot', async () => {
    const { bot, token } = await botWithToken();
    expect((await as(token, 'GET', '/fhir/R4/Patient')).status).toBe(200);
    const gone = await callApi(world.owner.bearer, 'DELETE', `/fhir/R4/Bot/${bot}`);
    expect(gone.status, gone.text).toBe(200);
    expectOutcome(await as(token, 'GET', '/fhir/R4/Patient'), 401);
    expectOutcome(await send(`Bearer ${token}`, MAIL), 401);
  });
});
