import { eq } from 'drizzle-orm';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { pace } from '#lib/base/pace.ts';
import { stopRunner } from '#lib/domain/runs/runner.ts';
import { botSample } from '#lib/infra/db/schema/bots.ts';
import { tryLease } from '#lib/infra/db/single/leases.ts';
import { callApi, expectOutcome } from '#lib/testing/call-api.ts';
import { db } from '#lib/testing/set-up/own-db.ts';
import { createSuperAdmin, createWorld, signIn, type World } from '#lib/testing/world.ts';

afterAll(stopRunner);

const bot = (body: string) => `export async function handler(medplum, event) { ${body} }`;
const WRITES = bot(`
  const made = await medplum.createResource({ resourceType: 'Basic', code: { text: event.input.code } });
  return { code: made.code.text, list: [{ n: 1 }] };`);

const SAMPLE = {
  name: 'A code',
  input: { contentType: 'application/json', body: '{"code":"x"}' },
  expects: {
    output: [
      { path: 'code', value: 'x' },
      { path: 'list[0].n', value: 1 },
    ],
    writes: [{ action: 'create', resourceType: 'Basic', values: [{ path: 'code', value: { text: 'x' } }] }],
  },
};

async function makeBot(world: World): Promise<string> {
  return (await world.call('POST', '/bot', { body: { name: 'Tried' } })).body.id;
}

const deploy = (world: World, botId: string, body: object) =>
  callApi(world.owner.bearer, 'POST', `/fhir/R4/Bot/${botId}/$deploy`, { body });

async function keep(world: World, botId: string, changes: object = {}): Promise<string> {
  const made = await world.call('POST', `/bots/${botId}/samples`, { body: { ...SAMPLE, ...changes } });
  expect(made.status, made.text).toBe(201);
  return made.body.id;
}

describe('200', () => {
  test('samples are kept, read by name, replaced and taken out', async () => {
    const world = await createWorld();
    const botId = await makeBot(world);
    const id = await keep(world, botId);
    await keep(world, botId, { name: 'Another', stubs: { mail: true } });
    const { rows } = (await world.call('GET', `/bots/${botId}/samples`)).body;
    expect(rows).toMatchObject([
      { id, ...SAMPLE, expects: { ok: true, ...SAMPLE.expects }, stubs: null, author: { display: 'Olga Owner' } },
      { name: 'Another', stubs: { mail: true } },
    ]);
    const path = `/bots/${botId}/samples/${id}`;
    expect((await world.call('PUT', path, { body: { ...SAMPLE, name: 'Renamed' } })).body).toEqual({ id });
    // Of two who change it, who saw it before it was saved is told so.
    const [, { updatedAt: over }] = (await world.call('GET', `/bots/${botId}/samples`)).body.rows;
    const change = (name: string) => world.call('PUT', path, { body: { ...SAMPLE, name, over } });
    expect((await change('First')).body).toEqual({ id });
    expectOutcome(await change('Second'), 412, 'over');
    expectOutcome(await world.call('PUT', path, { body: { ...SAMPLE, over: 'yesterday' } }), 400, 'over');
    expect((await world.call('PUT', path, { body: { ...SAMPLE, name: 'Renamed' } })).status).toBe(200);
    expect((await world.call('GET', `/bots/${botId}/samples`)).body.rows[1].name).toBe('Renamed');
    expect((await world.call('DELETE', path)).status).toBe(200);
    expectOutcome(await world.call('DELETE', path), 404);
  });

  test('a deploy whose samples are as expected is live, and says how each did', async () => {
    const world = await createWorld();
    const botId = await makeBot(world);
    await keep(world, botId);
    const deployed = await deploy(world, botId, { code: WRITES, note: 'First' });
    expect(deployed.status, deployed.text).toBe(200);
    expect(deployed.body.issue.at(-1).details.text).toBe('Sample A code is as expected');
    expect((await world.call('GET', `/bots/${botId}/versions`)).body.rows).toMatchObject([
      { number: 1, note: 'First' },
    ]);
    const basics = await callApi(world.owner.bearer, 'GET', '/fhir/R4/Basic?_summary=count');
    expect(basics.body.total).toBe(0);
  });

  test('a bot that nobody can run is deployed untried, and goes back; so does one whose way back a super-admin takes', async () => {
    const world = await createWorld();
    const botId = await makeBot(world);
    await deploy(world, botId, { code: bot('return 1;') });
    await deploy(world, botId, { code: WRITES });
    await keep(world, botId);
    const back = (bearer?: string) =>
      world.call('POST', `/bots/${botId}/rollback`, { body: { number: 1 }, ...(bearer && { bearer }) });
    expectOutcome(await back(), 422);
    expect((await back(await createSuperAdmin())).status).toBe(201);
    const found = await callApi(world.owner.bearer, 'GET', `/fhir/R4/ProjectMembership?profile=Bot/${botId}`);
    const off = [{ op: 'add', path: '/active', value: false }];
    await world.call('PATCH', `/members/${found.body.entry[0].resource.id}`, { body: off });
    const deployed = await deploy(world, botId, { code: bot('return 2;') });
    expect(deployed.status, deployed.text).toBe(200);
    expect((await back()).status).toBe(201);
  });

  test('samples that cannot be run in time say nothing of the code: 429, and force goes past them', async () => {
    const world = await createWorld();
    const botId = await makeBot(world);
    await deploy(world, botId, { code: WRITES });
    await keep(world, botId);
    const usual = pace.dryRunWaitMs;
    pace.dryRunWaitMs = 100;
    const lease = await tryLease(`dry-run:${world.projectId}`, 1);
    onTestFinished(() => {
      pace.dryRunWaitMs = usual;
      lease?.release();
    });
    expectOutcome(await deploy(world, botId, { code: WRITES }), 429);
    expect((await deploy(world, botId, { code: WRITES, force: true })).status).toBe(200);
    expectOutcome(await world.call('POST', `/bots/${botId}/rollback`, { body: { number: 1 } }), 429);
    const back = { number: 1, force: true };
    expect((await world.call('POST', `/bots/${botId}/rollback`, { body: back })).status).toBe(201);
    const { rows } = (await world.call('GET', `/audit?target=Bot/${botId}&action=bot.rollback`)).body;
    expect(rows[0].after.disagreed).toBeUndefined();
  });

  test('force deploys what is not as expected, and the audit log has it', async () => {
    const world = await createWorld();
    const botId = await makeBot(world);
    const id = await keep(world, botId);
    const code = bot('return { code: "y" };');
    expect((await deploy(world, botId, { code, force: true })).status).toBe(200);
    const { rows } = (await world.call('GET', `/audit?target=Bot/${botId}&action=bot.deploy`)).body;
    expect(rows[0]).toMatchObject({ action: 'bot.deploy', after: { version: 1, disagreed: [id] } });
  });

  test('a check tells each sample with its differences, and deploys nothing', async () => {
    const world = await createWorld();
    const botId = await makeBot(world);
    await keep(world, botId);
    const check = async (code: string) =>
      (await world.call('POST', `/bots/${botId}/check`, { body: { code } })).body.samples;
    expect(await check(WRITES)).toMatchObject([{ name: 'A code', ok: true, differences: [], problem: null }]);
    expect(await check(bot('return { code: "y" };'))).toMatchObject([
      {
        ok: false,
        differences: [
          { at: 'output.code', expected: 'x', found: 'y' },
          { at: 'output.list[0].n', expected: 1 },
          { at: 'writes[0]', expected: 'create Basic' },
        ],
      },
    ]);
    expect(await check(bot('throw new Error("no luck");'))).toMatchObject([
      { ok: false, differences: [{ at: 'ok', expected: true, found: 'no luck' }] },
    ]);
    expect((await world.call('GET', `/bots/${botId}/versions`)).body.live).toBeNull();
  });

  test('a sample may expect a failure', async () => {
    const world = await createWorld();
    const botId = await makeBot(world);
    await keep(world, botId, { expects: { ok: false, output: [{ path: '', value: 'no luck' }] } });
    expect((await deploy(world, botId, { code: bot('throw new Error("no luck");') })).status).toBe(200);
  });

  test('a bot that is deleted leaves no sample', async () => {
    const world = await createWorld();
    const botId = await makeBot(world);
    await keep(world, botId);
    await callApi(world.owner.bearer, 'DELETE', `/fhir/R4/Bot/${botId}`);
    expect(await db().select().from(botSample).where(eq(botSample.projectId, world.projectId))).toEqual([]);
  });
});

describe('400', () => {
  test.each([
    [{ name: '' }, 'name'],
    [{ input: { contentType: 'application/json', body: 'x'.repeat(256 * 1024 + 1) } }, 'input.body'],
    [{ expects: { output: [{ path: 'a..b', value: 1 }] } }, 'expects.output[0].path'],
    [{ expects: { writes: [{ action: 'read', resourceType: 'Basic' }] } }, 'expects.writes[0].action'],
    [{ other: 1 }, 'other'],
  ])('%#: what is not understood is refused by name', async (changes, expression) => {
    const world = await createWorld();
    const botId = await makeBot(world);
    expectOutcome(
      await world.call('POST', `/bots/${botId}/samples`, { body: { ...SAMPLE, ...changes } }),
      400,
      expression,
    );
  });
});

describe('400 and 415: an input that no bot could ever be given', () => {
  test.each([
    [{ contentType: 'application/pdf', body: 'x' }, 415, 'input.contentType'],
    [{ contentType: 'Application/JSON; charset=utf-8', body: '{' }, 400, 'input.body'],
    [{ contentType: 'application/fhir+json', body: `${'['.repeat(200)}${']'.repeat(200)}` }, 400, 'input.body'],
  ])('%#: is refused by name, and what was kept stays', async (input, status, expression) => {
    const world = await createWorld();
    const botId = await makeBot(world);
    const id = await keep(world, botId);
    const body = { ...SAMPLE, name: 'B', input };
    expectOutcome(await world.call('POST', `/bots/${botId}/samples`, { body }), status, expression);
    expectOutcome(await world.call('PUT', `/bots/${botId}/samples/${id}`, { body }), status, expression);
    expect((await world.call('GET', `/bots/${botId}/samples`)).body.rows).toMatchObject([SAMPLE]);
  });
});

/** An administrator whom a policy limits, and who may do with bots whatever there is to do. */
async function limited(world: World): Promise<string> {
  const policy = { resourceType: 'AccessPolicy', name: 'Bots', resource: [{ resourceType: 'Bot' }] };
  const made = await callApi(world.owner.bearer, 'POST', '/fhir/R4/AccessPolicy', { body: policy });
  const membership = { admin: true, accessPolicy: { reference: `AccessPolicy/${made.body.id}` } };
  const { id, user } = await world.invite({ membership });
  return signIn(world.projectId, id, user.reference);
}

describe('403: of an administrator whom a policy limits', () => {
  test('samples are neither seen, kept, changed nor taken out, also not on behalf of who may', async () => {
    const world = await createWorld();
    const botId = await makeBot(world);
    const id = await keep(world, botId);
    const bearer = await limited(world);
    const asOwner = { 'x-medplum-on-behalf-of': `ProjectMembership/${world.owner.membershipId}` };
    for (const headers of [{}, asOwner]) {
      const by = { bearer, headers };
      expectOutcome(await world.call('GET', `/bots/${botId}/samples`, by), 403);
      expectOutcome(await world.call('POST', `/bots/${botId}/samples`, { ...by, body: { ...SAMPLE, name: 'B' } }), 403);
      expectOutcome(await world.call('PUT', `/bots/${botId}/samples/${id}`, { ...by, body: SAMPLE }), 403);
      expectOutcome(await world.call('DELETE', `/bots/${botId}/samples/${id}`, by), 403);
    }
    expect((await world.call('GET', `/bots/${botId}/samples`)).body.rows).toMatchObject([SAMPLE]);
  });

  test('a deploy and a check are tried with them, and tell nothing of what they say', async () => {
    const world = await createWorld();
    const botId = await makeBot(world);
    const expects = { output: [{ path: 'code', value: 'secret-expected' }] };
    const id = await keep(world, botId, { name: 'secret-name', expects });
    const bearer = await limited(world);
    const code = bot('return { code: "found" };');
    const checked = await world.call('POST', `/bots/${botId}/check`, { bearer, body: { code } });
    expect(checked.body.samples).toEqual([
      { id, name: '1', ok: false, differences: [], problem: null, durationMs: expect.any(Number) },
    ]);
    const refused = await callApi(bearer, 'POST', `/fhir/R4/Bot/${botId}/$deploy`, { body: { code } });
    expectOutcome(refused, 422);
    const forced = await callApi(bearer, 'POST', `/fhir/R4/Bot/${botId}/$deploy`, { body: { code, force: true } });
    expect(forced.status, forced.text).toBe(200);
    for (const { text } of [checked, refused, forced]) expect(text).not.toMatch(/secret-|found/);
  });
});

describe('409', () => {
  test('two samples of a bot have two names', async () => {
    const world = await createWorld();
    const botId = await makeBot(world);
    await keep(world, botId);
    expectOutcome(await world.call('POST', `/bots/${botId}/samples`, { body: SAMPLE }), 409, 'name');
  });
});

describe('422', () => {
  test('a way back to a version that samples do not expect is stopped, unless force says that it is known', async () => {
    const world = await createWorld();
    const botId = await makeBot(world);
    await deploy(world, botId, { code: bot('return { code: "old" };') });
    const id = await keep(world, botId);
    await deploy(world, botId, { code: WRITES });
    const back = (body: object) => world.call('POST', `/bots/${botId}/rollback`, { body: { number: 1, ...body } });
    const stopped = await back({});
    expectOutcome(stopped, 422, 'number', 'number');
    expect(stopped.text).toContain('A code: output.code is \\"old\\", not \\"x\\"');
    const live = async () => (await world.call('GET', `/bots/${botId}/versions`)).body.live;
    expect(await live()).toBe(2);
    expect((await back({ force: true })).body).toEqual({ number: 3 });
    expect(await live()).toBe(3);
    const log = await world.call('GET', '/audit?action=bot.rollback');
    expect(log.text).toContain(id);
    // To one that does what they expect nobody has to force a way.
    expect((await back({ number: 2 })).status).toBe(201);
    expectOutcome(await back({ number: 9 }), 400, 'number');
  });

  test('a deploy whose samples are not as expected is stopped, and says where', async () => {
    const world = await createWorld();
    const botId = await makeBot(world);
    await keep(world, botId);
    const stopped = await deploy(world, botId, { code: bot('return { code: "y" };') });
    expect(stopped.status, stopped.text).toBe(422);
    expect(stopped.body.issue).toMatchObject([{ severity: 'error', expression: ['code'] }, { expression: ['code'] }]);
    expect(stopped.text).toContain('A code: output.code is \\"y\\", not \\"x\\"');
    expect((await world.call('GET', `/bots/${botId}/versions`)).body.live).toBeNull();
  });

  test('a bot has at most fifty samples', async () => {
    const world = await createWorld();
    const botId = await makeBot(world);
    for (let n = 0; n < 50; n++) await keep(world, botId, { name: `Sample ${n}` });
    expectOutcome(await world.call('POST', `/bots/${botId}/samples`, { body: SAMPLE }), 422);
  });
});
