import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { and, eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Ctx } from '#lib/domain/access/context.ts';
import { write } from '#lib/domain/audit/write.ts';
import { followMail } from '#lib/domain/standing/follow-mail.ts';
import { db } from '#lib/testing/set-up/own-db.ts';
import { createWorld, START_CTX, type World } from '#lib/testing/world.ts';
import { devMail, mail } from '../db/schema/operations.ts';
import { stopJobs } from '../jobs/jobs.ts';
import { queueMail } from './queue-mail.ts';
import { startMailWorker } from './start-mail-worker.ts';

/** What Resend's API is to us: it keeps what it was sent, and answers as it is told. */
type Sent = { key: string; idempotency: string; body: Record<string, string> };
let provider: Server;
let sent: Sent[] = [];
let answers: { status: number; body: object }[] = [];
let world: World;

const ctx: Ctx = START_CTX;
const OUTAGE = { status: 503, body: { name: 'application_error', message: 'Out of order', statusCode: 503 } };

beforeAll(async () => {
  provider = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { authorization = '', 'idempotency-key': idempotency } = request.headers;
    sent.push({
      key: authorization,
      idempotency: String(idempotency),
      body: JSON.parse(Buffer.concat(chunks).toString()),
    });
    const { status, body } = answers.shift() ?? { status: 200, body: { id: `re_${sent.length}` } };
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve));
  // Before the settings are read for the first time.
  process.env.RESEND_API_KEY = 're_test_key';
  process.env.RESEND_BASE_URL = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
  process.env.MAIL_FROM = 'Gatehouse <gate@example.com>';
  world = await createWorld();
  await startMailWorker(followMail);
});

beforeEach(() => {
  sent = [];
  answers = [];
});

afterAll(async () => {
  await stopJobs();
  provider.close();
});

async function invite(): Promise<{ id: string; email: string }> {
  const made = await world.invite({ sendEmail: true });
  return { id: made.id, email: String(made.user.display) };
}

async function mailOf(membershipId: string) {
  const [row] = await db().select().from(mail).where(eq(mail.membershipId, membershipId));
  return row;
}

/** A retry waits for seconds; the test does not. */
async function hurryRetries(): Promise<void> {
  await db().execute(sql`update pgboss.job set start_after = now() where state = 'retry'`);
}

async function triedAgain(membershipId: string) {
  await hurryRetries();
  return (await mailOf(membershipId))?.state;
}

describe('with a key', () => {
  test('an invite leaves through the real SDK, once, with an idempotency key; its link is kept nowhere afterwards', async () => {
    const { id, email } = await invite();
    await expect.poll(async () => (await mailOf(id))?.state).toBe('sent');
    const row = await mailOf(id);
    expect(sent).toHaveLength(1);
    const [{ key, idempotency, body }] = sent as [Sent];
    expect([key, idempotency]).toEqual(['Bearer re_test_key', row?.id]);
    expect(body).toMatchObject({
      from: 'Gatehouse <gate@example.com>',
      to: email,
      subject: 'You are invited to “Test project”',
    });
    const link = /http:\/\/localhost:3999\/setpassword\/[\w-]+#[\w-]{43}/;
    expect(body.html).toMatch(link);
    expect(body.text).toMatch(link);
    expect(row).toMatchObject({ providerId: 're_1', attempts: 1, error: null, paramsSealed: null });
    expect(await db().select().from(devMail)).toEqual([]);
  });

  test('a provider that fails neither undoes nor fails the invite: the state says so, and it is tried again', async () => {
    answers = [OUTAGE];
    const { id } = await invite();
    await expect.poll(async () => (await mailOf(id))?.state).toBe('failed');
    expect(await mailOf(id)).toMatchObject({ attempts: 1, error: 'application_error: Out of order', sentAt: null });
    expect((await world.call('GET', `/members/${id}`)).status).toBe(200);
    await expect.poll(() => triedAgain(id)).toBe('sent');
    expect(await mailOf(id)).toMatchObject({ attempts: 2, error: null, paramsSealed: null });
    expect(new Set(sent.map(({ idempotency }) => idempotency)).size).toBe(1);
  });

  test('after the last try the state says so, and the link is kept nowhere', async () => {
    answers = Array.from({ length: 7 }, () => OUTAGE);
    const { id } = await invite();
    const tries = async () => {
      await hurryRetries();
      const row = await mailOf(id);
      expect(row?.attempts === 7, 'what is tried again needs its link').toBe(row?.paramsSealed === null);
      return row?.attempts;
    };
    await expect.poll(tries).toBe(7);
    expect(await mailOf(id)).toMatchObject({ state: 'failed', error: 'application_error: Out of order', sentAt: null });
    expect(sent).toHaveLength(7);
  });

  test('an answer that is no JSON is a failure like any other', async () => {
    answers = [{ status: 200, body: [] as unknown as object }];
    const { id } = await invite();
    await expect.poll(async () => (await mailOf(id))?.attempts).toBeGreaterThan(0);
    expect((await mailOf(id))?.state).toMatch(/sent|failed/);
    // Its second try is not left to the next test.
    await expect.poll(() => triedAgain(id)).toBe('sent');
  });
});

test('no more leave in a second than the provider takes, however fast they are committed', async () => {
  const arrived: number[] = [];
  for (let count = 1; count <= 4; count++) {
    // Its notice comes while the worker is at the one before, or has just ended it.
    await invite();
    await vi.waitUntil(() => sent.length >= count, { timeout: 20_000, interval: 1 });
    arrived.push(performance.now());
  }
  // Three times half a second, less what one of them was longer on its way than another.
  expect(arrived[3]! - arrived[0]!).toBeGreaterThan(1200);
});

test('who waits for a password goes before all that are invited', async () => {
  await write(ctx, async (w) => {
    w.audit({ projectId: world.projectId, action: 'invite.resend', target: 'mail' });
    const params = { url: 'http://localhost:3999/setpassword/1#x', projectName: 'P', inviterName: 'I' };
    for (const template of ['invite', 'invite', 'invite', 'reset'] as const) {
      await queueMail(w.tx, { projectId: world.projectId, template, recipient: `${template}@example.com`, params });
    }
  });
  await expect.poll(() => sent.length).toBe(4);
  expect(sent[0]?.body.to).toBe('reset@example.com');
});

test('a mail that a killed process was at is taken up when its heartbeat has stopped', async () => {
  const recipient = 'orphan@example.com';
  await write(ctx, async (w) => {
    w.audit({ projectId: world.projectId, action: 'invite.resend', target: 'mail' });
    const params = { url: 'http://localhost:3999/setpassword/1#x', projectName: 'P', inviterName: 'I' };
    await queueMail(w.tx, { projectId: world.projectId, template: 'invite', recipient, params });
    // As the process left it that took the job a minute ago and sent no beat since.
    const [job] = await w.tx.execute(sql`
      update pgboss.job set state = 'active', started_on = now() - interval '1 minute', heartbeat_on = now() - interval '1 minute'
      where state = 'created' and name = 'mail' returning heartbeat_seconds`);
    expect(job?.heartbeat_seconds).toBe(10);
  });
  const taken = async () => {
    await hurryRetries();
    return sent.map(({ body }) => body.to);
  };
  // Found within two rounds of pg-boss's watch.
  await expect.poll(taken).toEqual([recipient]);
});

test('a mail exists only if its transaction commits, and no job without its mail', async () => {
  const recipient = 'rollback@example.com';
  const failing = write(ctx, async (w) => {
    const params = { url: 'http://localhost:3999/setpassword/1#x' };
    await queueMail(w.tx, { projectId: world.projectId, template: 'reset', recipient, params });
    throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  const here = and(eq(mail.projectId, world.projectId), eq(mail.recipient, recipient));
  expect(await db().select().from(mail).where(here)).toEqual([]);
});

test('what waits is sealed: neither the link nor a name stands in the database', async () => {
  answers = [OUTAGE, OUTAGE, OUTAGE];
  const { id } = await invite();
  const row = await mailOf(id);
  const jobs = await db().execute(sql`select data from pgboss.job`);
  expect(row?.paramsSealed).toMatch(/^v2\./);
  expect(JSON.stringify([row, jobs])).not.toMatch(/setpassword|Test project|Olga/);
});
