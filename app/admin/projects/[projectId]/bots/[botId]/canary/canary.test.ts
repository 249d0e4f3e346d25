import { and, eq, sql } from 'drizzle-orm';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { newId } from '#lib/base/ids.ts';
import type { Ctx } from '#lib/domain/access/context.ts';
import { startCanary } from '#lib/domain/bots/canary/start-canary.ts';
import { executeBot } from '#lib/domain/runs/execute-bot.ts';
import { flushRuns } from '#lib/domain/runs/record/record-run.ts';
import { stopRunner } from '#lib/domain/runs/runner.ts';
import { loadActor } from '#lib/domain/sessions/load-actor.ts';
import { botCanary, botRun } from '#lib/infra/db/schema/bots.ts';
import { mail } from '#lib/infra/db/schema/operations.ts';
import { CANCELLED } from '#lib/infra/sandbox/host/runs-in-flight.ts';
import { STOPPED } from '#lib/protocol/bots/runs/stopped.ts';
import { deployedBot } from '#lib/testing/bots.ts';
import { callApi, expectOutcome } from '#lib/testing/call-api.ts';
import { db } from '#lib/testing/set-up/own-db.ts';
import { createWorld, type World } from '#lib/testing/world.ts';

afterAll(stopRunner);

const GOOD = 'export async function handler() { return "good"; }';
const BETTER = 'export async function handler() { return "better"; }';
const THROWS = 'export async function handler() { throw new Error("no such luck"); }';

const deploy = (world: World, botId: string, body: object) =>
  callApi(world.owner.bearer, 'POST', `/fhir/R4/Bot/${botId}/$deploy`, { body });
const execute = (world: World, botId: string) =>
  callApi(world.owner.bearer, 'POST', `/fhir/R4/Bot/${botId}/$execute`, { body: {} });

/** A bot whose version 2 is tried on a share of its runs. */
async function tryVersion(code: string, share = 50): Promise<{ world: World; botId: string }> {
  const world = await createWorld();
  const botId = (await world.call('POST', '/bot', { body: { name: 'Tried' } })).body.id;
  expect((await deploy(world, botId, { code: GOOD })).status).toBe(200);
  const tried = await deploy(world, botId, { code, canary: share });
  expect(tried.status, tried.text).toBe(200);
  return { world, botId };
}

const canaryOf = async (world: World, botId: string) => (await world.call('GET', `/bots/${botId}/canary`)).body.canary;

async function versionsRun(world: World, botId: string): Promise<(number | null)[]> {
  await flushRuns();
  const rows = await db()
    .select({ version: botRun.version })
    .from(botRun)
    .where(and(eq(botRun.projectId, world.projectId), eq(botRun.botId, botId)));
  return rows.map(({ version }) => version);
}

async function contextOf({ projectId, owner: { membershipId } }: World) {
  const { value: actor } = await loadActor({ projectId, membershipId, scope: 'openid' });
  return { requestId: 'one-subscription', remoteAddress: '', userAgent: '', actor };
}

/** As an event is run: by a key, which all attempts at it share. */
async function runEvent(world: World, botId: string, eventKey: string): Promise<void> {
  const ctx = await contextOf(world);
  const event = { kind: 'json' as const, text: '{}' };
  const input = { event, contentType: 'application/json', headers: {}, trigger: 'subscription' as const, eventKey };
  await executeBot(ctx, botId, input, () => async () => undefined);
}

describe('200', () => {
  test('a share of the runs is on the new version; what is live stays so', async () => {
    const { world, botId } = await tryVersion(BETTER);
    expect((await world.call('GET', `/bots/${botId}/versions`)).body).toMatchObject({ live: 1 });
    const answers = new Set<unknown>();
    for (let n = 0; n < 60; n++) answers.add((await execute(world, botId)).text);
    expect(answers).toEqual(new Set(['good', 'better']));
    await flushRuns();
    expect(await canaryOf(world, botId)).toMatchObject({
      ...{ version: 2, share: 50, state: 'running', endedAt: null, endedBy: null },
      author: { display: 'Olga Owner' },
    });
    const { figures } = await canaryOf(world, botId);
    expect(figures.canary.runs + figures.live.runs).toBe(60);
    expect(figures.canary.runs).toBeGreaterThan(5);
  });

  test('all attempts at one event are on the same version, and events fall to both', async () => {
    const { world, botId } = await tryVersion(BETTER);
    for (const key of Array.from({ length: 12 }, newId)) {
      const before = (await versionsRun(world, botId)).length;
      for (let attempt = 0; attempt < 3; attempt++) await runEvent(world, botId, key);
      const all = await versionsRun(world, botId);
      expect(all.length).toBe(before + 3);
      expect([1, 2].map((n) => all.filter((version) => version === n).length % 3)).toEqual([0, 0]);
    }
    expect(new Set(await versionsRun(world, botId))).toEqual(new Set([1, 2]));
  });

  test('a bot that another runs falls by the event that this one runs for, not by who told it', async () => {
    const { world, botId } = await tryVersion(BETTER);
    const ctx = await contextOf(world);
    const outer = await deployedBot(world, GOOD);
    const event = { kind: 'json' as const, text: '{}' };
    const input = { event, contentType: 'application/json', headers: {} };
    for (const eventKey of Array.from({ length: 16 }, newId)) {
      let inner: Ctx | undefined;
      const bridge = (of: Ctx) => {
        inner ??= of;
        return async () => undefined;
      };
      await executeBot(ctx, outer, { ...input, trigger: 'subscription', eventKey }, bridge);
      await executeBot(
        { ...inner!, actor: ctx.actor! },
        botId,
        { ...input, trigger: 'http' },
        () => async () => undefined,
      );
    }
    expect(new Set(await versionsRun(world, botId))).toEqual(new Set([1, 2]));
  });

  test('one that fails more goes back by itself, is audited, and administrators are told by mail', async () => {
    const { world, botId } = await tryVersion(THROWS);
    await vi.waitFor(
      async () => {
        await execute(world, botId);
        expect(await canaryOf(world, botId)).toMatchObject({ state: 'reverted', endedBy: null });
      },
      { timeout: 20_000, interval: 1 },
    );
    const { figures } = await canaryOf(world, botId);
    expect(figures.canary.failed).toBeGreaterThanOrEqual(3);
    expect(figures.live.failed).toBe(0);
    expect((await execute(world, botId)).text).toBe('good');
    const { rows } = (await world.call('GET', `/audit?target=Bot/${botId}&action=bot.canary.revert`)).body;
    expect(rows[0]).toMatchObject({ action: 'bot.canary.revert', after: { version: 2, told: 1 } });
    const mails = await db()
      .select({ recipient: mail.recipient })
      .from(mail)
      .where(and(eq(mail.projectId, world.projectId), eq(mail.template, 'bot-canary-reverted')));
    expect(mails).toEqual([{ recipient: world.owner.email }]);
  });

  test('attempts at one event are one failure, and what somebody ended is none', async () => {
    const { world, botId } = await tryVersion(THROWS);
    for (let n = 0; n < 20; n++) await execute(world, botId);
    await flushRuns();
    // As if all of these had gone well on what is live, so that what follows decides.
    await db().update(botRun).set({ version: 1, status: 'ok' }).where(eq(botRun.botId, botId));
    await db().update(botCanary).set({ state: 'running', endedAt: null }).where(eq(botCanary.botId, botId));
    const event = newId();
    const insert = (message: string | null, key: string, at: number) =>
      db().execute(sql`
        insert into bot_run (project_id, id, bot_id, version, trigger, status, started_at, duration_ms, request_id, message, input_headers)
        values (${world.projectId}, ${newId()}, ${botId}, 2, 'hl7', 'failed', now() + make_interval(secs => ${at}), 1, 'x', ${message},
          jsonb_build_object('idempotency-key', ${key}::text))`);
    for (const at of [1, 2, 3, 4, 5, 6]) await insert('Error: no such message', event, at);
    for (const at of [7, 8, 9]) await insert(STOPPED, newId(), at);
    for (const at of [10, 11, 12]) await insert(CANCELLED, newId(), at);
    const { figures } = await canaryOf(world, botId);
    expect(figures).toMatchObject({ canary: { runs: 1, failed: 1, failedInRow: 1 }, live: { runs: 20, failed: 0 } });
  });

  test('one that fails no more often than what is live goes on', async () => {
    const world = await createWorld();
    const botId = (await world.call('POST', '/bot', { body: { name: 'Both' } })).body.id;
    await deploy(world, botId, { code: THROWS });
    await deploy(world, botId, { code: THROWS, canary: 50 });
    for (let n = 0; n < 30; n++) await execute(world, botId);
    await flushRuns();
    expect(await canaryOf(world, botId)).toMatchObject({ state: 'running' });
  });

  test('an administrator makes it live, or takes it back', async () => {
    const { world, botId } = await tryVersion(BETTER, 1);
    const promoted = await world.call('POST', `/bots/${botId}/canary/promote`);
    expect(promoted.body, promoted.text).toEqual({ number: 2 });
    expect((await world.call('GET', `/bots/${botId}/versions`)).body.live).toBe(2);
    expect(await canaryOf(world, botId)).toMatchObject({ state: 'promoted', endedBy: { display: 'Olga Owner' } });
    expect((await execute(world, botId)).text).toBe('better');
    const again = await world.call('PUT', `/bots/${botId}/canary`, { body: { version: 1, share: 50 } });
    expect(again.status, again.text).toBe(200);
    expect(await canaryOf(world, botId)).toMatchObject({ version: 1, state: 'running' });
    expect((await world.call('PUT', `/bots/${botId}/canary`, { body: { version: 1, share: 10 } })).status).toBe(200);
    expect(await canaryOf(world, botId)).toMatchObject({ share: 10 });
    expect((await world.call('DELETE', `/bots/${botId}/canary`)).status).toBe(200);
    expect(await canaryOf(world, botId)).toMatchObject({ state: 'withdrawn' });
    for (let n = 0; n < 10; n++) expect((await execute(world, botId)).text).toBe('better');
    const actions = (await world.call('GET', `/audit?target=Bot/${botId}`)).body.rows.map(
      (row: { action: string }) => row.action,
    );
    expect(actions).toEqual(expect.arrayContaining(['bot.canary.start', 'bot.canary.promote', 'bot.canary.withdraw']));
  });

  test('a deploy and a way back end it, and who replays says on which version', async () => {
    const { world, botId } = await tryVersion(BETTER, 50);
    await deploy(world, botId, { code: BETTER });
    expect(await canaryOf(world, botId)).toMatchObject({ state: 'replaced' });
    await world.call('PUT', `/bots/${botId}/canary`, { body: { version: 1, share: 50 } });
    await execute(world, botId);
    await flushRuns();
    const [run] = (await world.call('GET', `/bots/${botId}/runs`)).body.rows;
    for (let n = 0; n < 8; n++) {
      const replayed = await world.call('POST', `/runs/${run.id}/replay`, { body: { version: 'live' } });
      expect(replayed.body, replayed.text).toMatchObject({ version: 3 });
    }
    await world.call('POST', `/bots/${botId}/rollback`, { body: { number: 2 } });
    expect(await canaryOf(world, botId)).toMatchObject({ state: 'replaced' });
  });

  test('what somebody has not seen they do not end, and a way back takes nothing back that went live meanwhile', async () => {
    const { world, botId } = await tryVersion(BETTER);
    expect((await deploy(world, botId, { code: BETTER, canary: 10 })).status).toBe(200);
    const path = `/bots/${botId}/canary`;
    expectOutcome(await world.call('POST', `${path}/promote`, { body: { version: 2 } }), 409, 'version');
    expectOutcome(await world.call('DELETE', `${path}?version=2`), 409, 'version');
    expectOutcome(await world.call('DELETE', `${path}?version=two`), 400, 'version');
    expect(await canaryOf(world, botId)).toMatchObject({ version: 3, state: 'running' });
    expect((await world.call('DELETE', `${path}?version=3`)).status).toBe(200);
    expect((await world.call('PUT', path, { body: { version: 2, share: 10 } })).status).toBe(200);
    expect((await deploy(world, botId, { code: BETTER })).status).toBe(200);
    const back = (over: number) => world.call('POST', `/bots/${botId}/rollback`, { body: { number: 2, over } });
    expectOutcome(await back(1), 412, 'over');
    expect((await back(4)).body).toEqual({ number: 5 });
    const { rows } = (await world.call('GET', `/audit?target=Bot/${botId}&action=bot.deploy`)).body;
    expect(rows[0].after).toMatchObject({ version: 4, ended: 2 });
  });

  test('another share of a trial that has ended meanwhile begins none anew: samples would not have looked at it', async () => {
    const { world, botId } = await tryVersion(BETTER);
    const [seen] = await db().select().from(botCanary).where(eq(botCanary.botId, botId));
    expect((await world.call('DELETE', `/bots/${botId}/canary`)).status).toBe(200);
    const how = { told: {}, running: seen!.id };
    const again = async () =>
      startCanary(await contextOf(world), world.projectId, botId, { version: 2, share: 90 }, how);
    await expect(again()).rejects.toMatchObject({ code: 'conflict' });
    expect(await canaryOf(world, botId)).toMatchObject({ state: 'withdrawn', share: 50 });
    // Nor that of another trial of the same version.
    expect((await world.call('PUT', `/bots/${botId}/canary`, { body: { version: 2, share: 10 } })).status).toBe(200);
    await expect(again()).rejects.toMatchObject({ code: 'conflict' });
    expect(await canaryOf(world, botId)).toMatchObject({ state: 'running', share: 10 });
  });

  test('a deploy without code is of what is live, not of what was tried and taken back', async () => {
    const { world, botId } = await tryVersion(BETTER);
    expect((await world.call('DELETE', `/bots/${botId}/canary`)).status).toBe(200);
    const again = await deploy(world, botId, {});
    expect(again.status, again.text).toBe(200);
    expect((await execute(world, botId)).text).toBe('good');
  });

  test('a deploy over what is no more live is refused, whoever was first', async () => {
    const { world, botId } = await tryVersion(BETTER);
    expectOutcome(await deploy(world, botId, { code: BETTER, over: 2 }), 412, 'over');
    const both = await Promise.all([1, 1].map((over) => deploy(world, botId, { code: BETTER, over })));
    expect(both.map(({ status }) => status).sort()).toEqual([200, 412]);
    const fresh = (await world.call('POST', '/bot', { body: { name: 'Fresh' } })).body.id;
    expectOutcome(await deploy(world, fresh, { code: GOOD, over: 1 }), 412, 'over');
    expect((await deploy(world, fresh, { code: GOOD, over: 0 })).status).toBe(200);
  });

  test('a version that samples do not expect is tried, and made live, only by who knows it', async () => {
    const { world, botId } = await tryVersion(BETTER);
    await world.call('DELETE', `/bots/${botId}/canary`);
    const sample = {
      name: 'Good',
      input: { contentType: 'application/json', body: '{}' },
      expects: { output: [{ path: '', value: 'good' }] },
    };
    expect((await world.call('POST', `/bots/${botId}/samples`, { body: sample })).status).toBe(201);
    const body = { version: 2, share: 50 };
    expectOutcome(await world.call('PUT', `/bots/${botId}/canary`, { body }), 422);
    expect(await canaryOf(world, botId)).toMatchObject({ state: 'withdrawn' });
    expect((await world.call('PUT', `/bots/${botId}/canary`, { body: { ...body, force: true } })).status).toBe(200);
    // Another share of what is tried already is no other version.
    expect((await world.call('PUT', `/bots/${botId}/canary`, { body: { ...body, share: 20 } })).status).toBe(200);
    expectOutcome(await world.call('POST', `/bots/${botId}/canary/promote`), 422);
    expect((await world.call('POST', `/bots/${botId}/canary/promote`, { body: { force: true } })).body).toEqual({
      number: 2,
    });
    const { rows } = (await world.call('GET', `/audit?target=Bot/${botId}&action=bot.canary.promote`)).body;
    expect(rows[0].after).toMatchObject({ version: 2, disagreed: [expect.any(String)] });
  });

  test('a bot that is deleted leaves none', async () => {
    const { world, botId } = await tryVersion(BETTER);
    await callApi(world.owner.bearer, 'DELETE', `/fhir/R4/Bot/${botId}`);
    expect(await db().select().from(botCanary).where(eq(botCanary.projectId, world.projectId))).toEqual([]);
  });
});

describe('400', () => {
  test('a share that is none, and a version that the bot has not had', async () => {
    const { world, botId } = await tryVersion(BETTER);
    expectOutcome(await deploy(world, botId, { code: BETTER, canary: 51 }), 400, 'canary');
    expectOutcome(await deploy(world, botId, { code: BETTER, canary: 0 }), 400, 'canary');
    const put = (body: object) => world.call('PUT', `/bots/${botId}/canary`, { body });
    expectOutcome(await put({ version: 2 }), 400, 'share');
    expectOutcome(await put({ version: 9, share: 5 }), 400, 'version');
  });
});

describe('403', () => {
  test('members do not try, promote or withdraw versions', async () => {
    const { world, botId } = await tryVersion(BETTER);
    const other = await createWorld();
    const bearer = other.owner.bearer;
    for (const [method, path] of [
      ['GET', ''],
      ['DELETE', ''],
      ['POST', '/promote'],
    ] as const)
      expectOutcome(await world.call(method, `/bots/${botId}/canary${path}`, { bearer }), 403);
  });
});

describe('409', () => {
  test('there must be something live, which is not it, and something tried to be promoted', async () => {
    const world = await createWorld();
    const botId = (await world.call('POST', '/bot', { body: { name: 'New' } })).body.id;
    expectOutcome(await deploy(world, botId, { code: GOOD, canary: 5 }), 409, 'canary');
    expect((await world.call('GET', `/bots/${botId}/versions`)).body.rows).toEqual([]);
    await deploy(world, botId, { code: GOOD });
    expectOutcome(await world.call('PUT', `/bots/${botId}/canary`, { body: { version: 1, share: 5 } }), 409, 'version');
    expectOutcome(await world.call('POST', `/bots/${botId}/canary/promote`), 409);
    expectOutcome(await world.call('DELETE', `/bots/${botId}/canary`), 409);
    expect(await canaryOf(world, botId)).toBeNull();
  });
});
