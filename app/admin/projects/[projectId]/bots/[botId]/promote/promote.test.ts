import { readFile } from 'node:fs/promises';
import { eq, sql } from 'drizzle-orm';
import { afterAll, describe, expect, test } from 'vitest';
import { write } from '#lib/domain/audit/write.ts';
import { insertMembership } from '#lib/domain/memberships/insert-membership.ts';
import { registerProject } from '#lib/domain/projects/register-project.ts';
import { stopRunner } from '#lib/domain/runs/runner.ts';
import { createRow } from '#lib/domain/store/create-row.ts';
import { login } from '#lib/infra/db/schema/login.ts';
import type { Resource } from '#lib/protocol/fhir/types.ts';
import { auditOf } from '#lib/testing/accounts.ts';
import { callApi, expectOutcome } from '#lib/testing/call-api.ts';
import { db } from '#lib/testing/set-up/own-db.ts';
import { createWorld, START_CTX, signIn, type World } from '#lib/testing/world.ts';

afterAll(stopRunner);

const IDENTIFIER = [{ system: 'https://example.com/bots', value: 'admit' }];
const bot = (body: string) => `export async function handler(medplum, event) { ${body} }`;
const USES = bot(`
  await fetch('https://lab.example/orders', { headers: { key: event.secrets.LAB_KEY.valueString } });
  return "new";`);

type Other = Pick<World, 'projectId'> & { bearer: string; call: World['call'] };

/** Another project that the owner of this one administers, too. */
async function another(world: { owner: Pick<World['owner'], 'userId' | 'email'> }): Promise<Other> {
  const { userId, email } = world.owner;
  const input = { userId, firstName: 'Olga', lastName: 'Owner', email, projectName: 'Production' };
  const { projectId, membershipId } = await write(START_CTX, (_, ctx) => registerProject(ctx, input));
  const bearer = await signIn(projectId, membershipId, `User/${userId}`);
  const call: World['call'] = (method, path, { bearer: by, ...rest } = {}) =>
    callApi(by ?? bearer, method, `/admin/projects/${projectId}${path}`, rest);
  return { projectId, bearer, call };
}

/** A project of somebody else's, in which the owner of this one is a member, too. */
async function joined(world: World, how: { admin?: true; signInWays?: ['passkey'] }): Promise<string> {
  const { projectId } = await createWorld();
  const user = { reference: `User/${world.owner.userId}` };
  await write(START_CTX, async (w) => {
    const fields = { resourceType: 'Practitioner', name: [{ family: 'Owner' }] };
    const { id } = await createRow(w, projectId, fields as Resource, { author: undefined });
    await insertMembership(
      w,
      projectId,
      { user, profile: { reference: `Practitioner/${id}` }, ...how },
      { author: undefined },
    );
  });
  return projectId;
}

async function makeBot(call: World['call'], identifier: object[] = IDENTIFIER): Promise<string> {
  const made = await call('POST', '/bot', { body: { name: 'Admit', ...(identifier.length > 0 && { identifier }) } });
  expect(made.status, made.text).toBe(201);
  return made.body.id;
}

async function deploy(bearer: string, botId: string, code: string): Promise<void> {
  const answer = await callApi(bearer, 'POST', `/fhir/R4/Bot/${botId}/$deploy`, { body: { code } });
  expect(answer.status, answer.text).toBe(200);
}

const promote = (world: World, botId: string, body: object) => world.call('POST', `/bots/${botId}/promote`, { body });

async function pair() {
  const world = await createWorld();
  const other = await another(world);
  const [here, there] = [await makeBot(world.call), await makeBot(other.call)];
  await deploy(world.owner.bearer, here, USES);
  return { world, other, here, there };
}

test('all files of what is live are its draft there, and its version', async () => {
  const { world, other, here, there } = await pair();
  const files = [{ filename: 'src/two.ts', content: 'export const two = 2;' }];
  const code = "import { two } from './two'; export const handler = () => two;";
  const body = { code, filename: 'src/index.ts', files };
  const deployed = await callApi(world.owner.bearer, 'POST', `/fhir/R4/Bot/${here}/$deploy`, { body });
  expect(deployed.status, deployed.text).toBe(200);
  expect((await promote(world, here, { project: other.projectId })).status).toBe(200);
  const read = async () => (await other.call('GET', `/bots/${there}/source`)).body;
  expect(await read()).toMatchObject({ ...body, from: null });
  expect((await other.call('GET', `/bots/${there}/versions/1`)).body).toMatchObject({ source: code, files });
  expect((await promote(world, here, { project: other.projectId, live: true })).status).toBe(200);
  expect(await read()).toMatchObject({ ...body, from: 2 });
  expect((await other.call('GET', `/bots/${there}/versions`)).body).toMatchObject({ live: 2, elsewhere: false });
});

test('a draft there that is none of its versions stays, with its files; one that is a version goes on', async () => {
  const { world, other, here, there } = await pair();
  const read = async () => (await other.call('GET', `/bots/${there}/source`)).body;
  const preview = async () => (await world.call('GET', `/bots/${here}/promote?project=${other.projectId}`)).body;
  // What arrives is a version then.
  await other.call('PUT', `/bots/${there}/source`, { body: { code: USES, filename: 'index.ts', files: [] } });
  expect(await preview()).toMatchObject({ keepsDraft: false });
  const draft = { code: 'export const own = 1;', files: [{ filename: 'two.ts', content: 'export const two = 2;' }] };
  expect((await other.call('PUT', `/bots/${there}/source`, { body: { ...draft, filename: 'index.ts' } })).status).toBe(
    200,
  );
  expect(await preview()).toMatchObject({ keepsDraft: true });
  for (const live of [false, true]) {
    expect((await promote(world, here, { project: other.projectId, live })).body).toMatchObject({ keepsDraft: true });
    expect(await read()).toMatchObject(draft);
  }
  const versions = (await other.call('GET', `/bots/${there}/versions`)).body;
  expect(versions).toMatchObject({ live: 2, rows: [{}, {}] });
  // The same files with a changed one of them are nobody's version, either.
  await other.call('PUT', `/bots/${there}/source`, { body: { code: USES, filename: 'index.ts', files: draft.files } });
  expect(await preview()).toMatchObject({ keepsDraft: true });
  await other.call('PUT', `/bots/${there}/source`, { body: { code: USES, filename: 'index.ts' } });
  expect(await preview()).toMatchObject({ keepsDraft: false });
});

test('what goes, and what it replaces, is what its author has seen', async () => {
  const { world, other, here, there } = await pair();
  await deploy(other.bearer, there, bot('return "old";'));
  const body = { project: other.projectId, live: true };
  await deploy(world.owner.bearer, here, bot('return "newer";'));
  expectOutcome(await promote(world, here, { ...body, version: 1 }), 412, 'version');
  expect(await auditOf(world.projectId, `Bot/${here}`)).not.toContain('bot.promote');
  expectOutcome(await promote(world, here, { ...body, version: 2, over: 0 }), 412, 'over');
  expect((await other.call('GET', `/bots/${there}/versions`)).body).toMatchObject({ live: 1 });
  // It did not arrive, and its log says that, too.
  const outcomes = await db().execute(
    sql`select outcome from audit_event where project_id = ${world.projectId} and action = 'bot.promote' order by at`,
  );
  expect(outcomes.map(({ outcome }) => outcome)).toEqual([0, 4]);
  const promoted = await promote(world, here, { ...body, version: 2, over: 1 });
  expect(promoted.body, promoted.text).toMatchObject({ version: 2, live: true });
});

const SAMPLE = {
  name: 'An order',
  input: { contentType: 'application/json', body: '{}' },
  expects: { output: [{ path: '', value: 'old' }] },
};

const preview = (world: World, botId: string, query: string) =>
  world.call('GET', `/bots/${botId}/promote?project=${query}`);

test('a bot that is made there gets a policy of that project, which may require one; one that is there keeps its access', async () => {
  const world = await createWorld();
  const other = await another(world);
  const here = await makeBot(world.call);
  await deploy(world.owner.bearer, here, USES);
  const whole = { resourceType: 'AccessPolicy', name: 'Bots', resource: [{ resourceType: '*' }] };
  const policy = await callApi(other.bearer, 'POST', '/fhir/R4/AccessPolicy', { body: whole });
  const accessPolicy = { reference: `AccessPolicy/${policy.body.id}` };
  const told = async () => (await preview(world, here, other.projectId)).body.made;
  expect(await told()).toMatchObject({ requiresPolicy: false });
  const required = await other.call('POST', '/settings', { body: [{ name: 'requirePolicy', valueBoolean: true }] });
  expect(required.status, required.text).toBe(200);
  expect(await told()).toMatchObject({ requiresPolicy: true });
  expect((await told()).policies).toContainEqual({ ...accessPolicy, display: 'Bots' });
  const body = { project: other.projectId, create: true };
  expectOutcome(await promote(world, here, body), 400, 'accessPolicy');
  const foreign = { reference: `AccessPolicy/${world.projectId}` };
  expectOutcome(await promote(world, here, { ...body, accessPolicy: foreign }), 400, 'accessPolicy');
  // What was refused did not go.
  expect(await auditOf(world.projectId, `Bot/${here}`)).not.toContain('bot.promote');
  const { body: made } = await promote(world, here, { ...body, accessPolicy });
  expect(await auditOf(world.projectId, `Bot/${here}`)).toContain('bot.promote');
  const query = `/fhir/R4/ProjectMembership?user=${made.bot.reference}`;
  const found = await callApi(other.bearer, 'GET', query);
  expect(found.body.entry[0].resource.accessPolicy).toEqual(accessPolicy);
  expect(await told()).toBe(null);
  expectOutcome(await promote(world, here, { ...body, accessPolicy }), 400, 'accessPolicy');
});

describe('a preview', () => {
  test('says what would come and what would be lacking, and changes nothing', async () => {
    const { world, other, here, there } = await pair();
    await deploy(other.bearer, there, bot('return "old";'));
    const patch = (bearer: string, id: string, value: object[]) =>
      callApi(bearer, 'PATCH', `/fhir/R4/Bot/${id}`, {
        ...{ body: value, headers: { 'content-type': 'application/json-patch+json' } },
      });
    await patch(world.owner.bearer, here, [
      { op: 'add', path: '/timeout', value: 42 },
      { op: 'add', path: '/allowedHost', value: ['lab.example'] },
    ]);
    await patch(other.bearer, there, [{ op: 'add', path: '/allowedHost', value: ['none'] }]);
    const told = await preview(world, here, other.projectId);
    const secret = { kind: 'secret', name: 'LAB_KEY', because: 'secret' };
    expect(told.body, told.text).toEqual({
      ...{ version: 1, bot: { reference: `Bot/${there}`, display: 'Admit' }, next: 2, live: 1, isSame: false },
      settings: [
        { name: 'timeout', here: 42 },
        { name: 'allowedHost', here: ['lab.example'], there: ['none'] },
      ],
      ...{ made: null, keepsDraft: false },
      refused: expect.arrayContaining([secret, { kind: 'host', name: 'lab.example', because: 'host' }]),
    });
    const withSettings = (await preview(world, here, `${other.projectId}&settings=true`)).body;
    expect(withSettings.refused).toEqual([secret]);
    expect((await other.call('GET', `/bots/${there}/versions`)).body.rows).toHaveLength(1);
    const waits = { project: other.projectId, settings: true };
    expectOutcome(await world.call('POST', `/bots/${here}/promote`, { body: waits }), 400, 'settings');
    expect((await other.call('GET', `/bots/${there}/versions`)).body.rows).toHaveLength(1);
    await promote(world, here, { project: other.projectId, live: true, settings: true });
    const after = (await preview(world, here, other.projectId)).body;
    expect(after).toMatchObject({ next: 3, live: 2, isSame: true, settings: [], refused: [secret] });
  });

  test('of a bot that is not there yet: it would have the project’s secrets and hosts', async () => {
    const world = await createWorld();
    const other = await another(world);
    const here = await makeBot(world.call);
    await deploy(world.owner.bearer, here, USES);
    expect((await preview(world, here, other.projectId)).body).toMatchObject({
      ...{ version: 1, bot: null, next: 1, live: null, isSame: false },
      refused: [{ kind: 'secret', name: 'LAB_KEY' }],
    });
    await other.call('POST', '/secrets', { body: [{ name: 'LAB_KEY', valueString: 'of-all-bots' }] });
    expect((await preview(world, here, other.projectId)).body.refused).toEqual([]);
  });

  test('400, 403, 404, 409, 412: as the promotion', async () => {
    const { world, other, here } = await pair();
    const stranger = await createWorld();
    expectOutcome(await preview(world, here, 'x'), 400, 'project');
    expectOutcome(await preview(world, here, world.projectId), 400, 'project');
    expectOutcome(await preview(world, here, stranger.projectId), 404);
    expectOutcome(await preview(world, here, await joined(world, {})), 403, 'project');
    const path = `/admin/projects/${world.projectId}/bots/${here}/promote?project=${other.projectId}`;
    expectOutcome(await callApi(stranger.owner.bearer, 'GET', path), 403);
    expectOutcome(await preview(world, await makeBot(world.call, []), other.projectId), 409);
    await makeBot(other.call);
    expectOutcome(await preview(world, here, other.projectId), 412);
  });
});

describe('secrets', () => {
  test('that are said are the bot’s own there, at once, and stand in no answer or log', async () => {
    const { world, other, here, there } = await pair();
    await deploy(world.owner.bearer, here, bot('return event.secrets.LAB_KEY.valueString.length;'));
    const secrets = [{ name: 'LAB_KEY', valueString: 'typed-there' }];
    const done = await promote(world, here, { project: other.projectId, live: true, secrets });
    expect(done.body, done.text).toMatchObject({ live: true, refused: [] });
    expect((await other.call('GET', `/bots/${there}/secrets`)).body.rows).toMatchObject([
      { name: 'LAB_KEY', of: 'bot' },
    ]);
    expect((await world.call('GET', `/bots/${here}/secrets`)).body.rows).toEqual([]);
    expect((await callApi(other.bearer, 'POST', `/fhir/R4/Bot/${there}/$execute`, { body: {} })).text).toBe('11');
    const log = await other.call('GET', `/audit?target=Bot/${there}`);
    expect(log.body.rows).toContainEqual(expect.objectContaining({ action: 'bot.secret.set', after: ['LAB_KEY'] }));
    for (const { text } of [done, log]) expect(text).not.toContain('typed-there');
  });

  test('are there for the samples that are tried before, and stand in nothing that is told of these', async () => {
    const { world, other, here, there } = await pair();
    await deploy(
      world.owner.bearer,
      here,
      bot(`
      const { valueString } = event.secrets.LAB_KEY;
      return [valueString.length, valueString, event.secrets.OTHER.valueString, event.input.n].join();`),
    );
    const set = (id: string, valueString: string) =>
      other.call('PUT', `/bots/${there}/secrets/${id}`, { body: { valueString } });
    for (const id of ['LAB_KEY', 'OTHER']) expect((await set(id, `before-${id}`)).status).toBeLessThan(300);
    for (const n of [1, 2]) {
      const input = { contentType: 'application/json', body: JSON.stringify({ n }) };
      const expects = { output: [{ path: '', value: `11,[secret LAB_KEY],[secret OTHER],${n}` }] };
      const kept = await other.call('POST', `/bots/${there}/samples`, { body: { name: `N${n}`, input, expects } });
      expect(kept.status, kept.text).toBe(201);
    }
    const secrets = [{ name: 'LAB_KEY', valueString: 'typed-there' }];
    const body = { project: other.projectId, live: true, secrets };
    const done = await promote(world, here, body);
    expect(done.body, done.text).toMatchObject({ live: true, samples: [{ ok: true }, { ok: true }] });
    await deploy(world.owner.bearer, here, bot('return { of: event.secrets.LAB_KEY.valueString };'));
    const refused = await promote(world, here, body);
    expectOutcome(refused, 422);
    expect(refused.text).toContain('[secret LAB_KEY]');
    for (const { text } of [done, refused]) expect(text).not.toContain('typed-there');
  });

  test('come with a bot that is made; nothing is kept where it is not', async () => {
    const world = await createWorld();
    const other = await another(world);
    const here = await makeBot(world.call);
    await deploy(world.owner.bearer, here, USES);
    const secrets = [{ name: 'LAB_KEY', valueString: 'typed-there' }];
    expectOutcome(await promote(world, here, { project: other.projectId, secrets }), 404, 'create');
    const made = await promote(world, here, { project: other.projectId, create: true, secrets });
    expect(made.body, made.text).toMatchObject({ created: true, refused: [] });
  });

  test('as many as there may be, each as long as it may be', async () => {
    const { world, other, here, there } = await pair();
    await deploy(world.owner.bearer, here, bot('return 1;'));
    const secrets = Array.from({ length: 100 }, (_, i) => ({ name: `S${i}`, valueString: 'x'.repeat(32_768) }));
    const done = await promote(world, here, { project: other.projectId, secrets });
    expect(done.status, done.text).toBe(200);
    expect((await other.call('GET', `/bots/${there}/secrets`)).body.rows).toHaveLength(100);
  });

  test('400 names what is wrong with them', async () => {
    const { world, other, here } = await pair();
    const one = { name: 'A', valueString: 'x' };
    for (const [secrets, at] of [
      [[{ name: 'A', valueString: '' }], 'secrets[0].valueString'],
      [[{ name: 'a b', valueString: 'x' }], 'secrets[0].name'],
      [[one, one], 'secrets'],
      [Array.from({ length: 101 }, (_, i) => ({ ...one, name: `A${i}` })), 'secrets'],
    ] as const)
      expectOutcome(await promote(world, here, { project: other.projectId, secrets }), 400, at);
  });

  test('403 without a proof of the last minutes, as where one sets them', async () => {
    const { world, other, here, there } = await pair();
    await db()
      .update(login)
      .set({ authTime: new Date(0) })
      .where(eq(login.projectId, world.projectId));
    const body = { project: other.projectId, secrets: [{ name: 'A', valueString: 'x' }] };
    const refused = await promote(world, here, body);
    expect([refused.status, refused.text]).toEqual([403, expect.stringContaining('who you are')]);
    expect((await other.call('GET', `/bots/${there}/versions`)).body.rows).toEqual([]);
  });
});

describe('200', () => {
  test('what is live becomes a version and the draft of the bot with the same identifier, which goes on as it was', async () => {
    const { world, other, here, there } = await pair();
    await deploy(other.bearer, there, bot('return "old";'));
    const promoted = await promote(world, here, { project: other.projectId });
    expect(promoted.body, promoted.text).toMatchObject({
      ...{ bot: { reference: `Bot/${there}`, display: 'Admit' }, version: 2, live: false, created: false },
      refused: [{ kind: 'secret', name: 'LAB_KEY', because: 'secret' }],
    });
    const versions = (await other.call('GET', `/bots/${there}/versions`)).body;
    expect(versions.live).toBe(1);
    expect(versions.rows[0]).toMatchObject({
      number: 2,
      author: { display: 'Olga Owner' },
      note: `Version 1 of Bot/${here} in Project/${world.projectId}`,
    });
    expect((await other.call('GET', `/bots/${there}/versions/2`)).body.source).toBe(USES);
    expect((await callApi(other.bearer, 'POST', `/fhir/R4/Bot/${there}/$execute`, { body: {} })).text).toBe('old');
  });

  test('live at once, with settings, it runs there; both logs say so, each with its own people', async () => {
    const { world, other, here, there } = await pair();
    await deploy(world.owner.bearer, here, bot('return "new";'));
    const patch = [{ op: 'add', path: '/timeout', value: 42 }];
    const type = { 'content-type': 'application/json-patch+json' };
    await callApi(world.owner.bearer, 'PATCH', `/fhir/R4/Bot/${here}`, { body: patch, headers: type });
    const body = { project: other.projectId, live: true, settings: true, note: 'Release 7' };
    expect((await promote(world, here, body)).body).toMatchObject({ version: 1, live: true, refused: [] });
    expect((await callApi(other.bearer, 'POST', `/fhir/R4/Bot/${there}/$execute`, { body: {} })).text).toBe('new');
    expect((await callApi(other.bearer, 'GET', `/fhir/R4/Bot/${there}`)).body.timeout).toBe(42);
    const left = (await world.call('GET', `/audit?target=Bot/${here}&action=bot.promote`)).body.rows;
    expect(left[0]).toMatchObject({ after: { version: 2, to: `Project/${other.projectId}` } });
    const came = (await other.call('GET', `/audit?target=Bot/${there}&action=bot.promote`)).body.rows;
    expect(came[0]).toMatchObject({ after: { from: `Project/${world.projectId}`, fromVersion: 2, live: true } });
  });

  test('a bot is made where there is none and that was asked for; samples go when they are, secrets never', async () => {
    const world = await createWorld();
    const other = await another(world);
    const here = await makeBot(world.call);
    await deploy(world.owner.bearer, here, USES);
    await world.call('POST', `/bots/${here}/samples`, { body: SAMPLE });
    await world.call('PUT', `/bots/${here}/secrets/LAB_KEY`, { body: { valueString: 'very-secret' } });
    const made = await promote(world, here, { project: other.projectId, create: true, samples: true });
    expect(made.body, made.text).toMatchObject({ created: true, copiedSamples: 1, version: 1 });
    const id = made.body.bot.reference.slice('Bot/'.length);
    expect((await other.call('GET', `/bots/${id}/samples`)).body.rows).toMatchObject([SAMPLE]);
    expect((await other.call('GET', `/bots/${id}/secrets`)).body.rows).toEqual([]);
    expect((await callApi(other.bearer, 'GET', `/fhir/R4/Bot/${id}`)).body.identifier).toEqual(IDENTIFIER);
    expect((await promote(world, here, { project: other.projectId, samples: true })).body).toMatchObject({
      ...{ created: false, version: 2 },
    });
    expect((await other.call('GET', `/bots/${id}/samples`)).body.rows).toHaveLength(1);
  });
});

test('the request of docs/bots.md is taken', async () => {
  const docs = await readFile('docs/bots.md', 'utf8');
  const [, example] = /\*\*Promote\.\*\*[\s\S]*?```json\n([\s\S]*?)```/.exec(docs)!;
  const { world, other, here, there } = await pair();
  const body = { ...JSON.parse(example!), project: other.projectId };
  const done = await promote(world, here, body);
  expect(done.body, done.text).toMatchObject({ live: false, created: false, copiedSamples: 0, version: 1 });
  expect((await other.call('GET', `/bots/${there}/versions`)).body.rows).toMatchObject([
    { number: 1, note: body.note },
  ]);
});

describe('400', () => {
  test('its own project, and what is not understood', async () => {
    const { world, here } = await pair();
    expectOutcome(await promote(world, here, { project: world.projectId }), 400, 'project');
    expectOutcome(await promote(world, here, { project: 'x' }), 400, 'project');
    expectOutcome(await promote(world, here, { project: world.projectId, secrets: true }), 400, 'secrets');
  });
});

describe('403', () => {
  test('who administers neither, nor the project of the bot', async () => {
    const { world, other, here, there } = await pair();
    const stranger = await createWorld();
    expectOutcome(await promote(world, here, { project: stranger.projectId }), 404);
    const body = { project: other.projectId };
    expectOutcome(
      await callApi(stranger.owner.bearer, 'POST', `/admin/projects/${world.projectId}/bots/${here}/promote`, { body }),
      403,
    );
    expect((await other.call('GET', `/bots/${there}/versions`)).body.rows).toEqual([]);
  });

  test('no administrator there, or one who must sign in by another way', async () => {
    const { world, here } = await pair();
    const member = await joined(world, {});
    expectOutcome(await promote(world, here, { project: member, create: true }), 403, 'project');
    const careful = await joined(world, { admin: true, signInWays: ['passkey'] });
    expectOutcome(await promote(world, here, { project: careful, create: true }), 403, 'project');
    const open = await joined(world, { admin: true });
    expect((await promote(world, here, { project: open, create: true })).status).toBe(200);
  });
});

test('403: samples of who may not see them here, or there, stay where they are', async () => {
  const world = await createWorld();
  const policy = { resourceType: 'AccessPolicy', name: 'Bots', resource: [{ resourceType: 'Bot' }] };
  const made = await callApi(world.owner.bearer, 'POST', '/fhir/R4/AccessPolicy', { body: policy });
  const membership = { admin: true, accessPolicy: { reference: `AccessPolicy/${made.body.id}` } };
  const { id, user } = await world.invite({ membership });
  const limited = await signIn(world.projectId, id, user.reference);
  const own = await another({ owner: { userId: user.reference.slice('User/'.length), email: String(user.display) } });
  const [here, there] = [await makeBot(world.call), await makeBot(own.call)];
  await deploy(world.owner.bearer, here, bot('return "new";'));
  await deploy(own.bearer, there, bot('return "new";'));
  await world.call('POST', `/bots/${here}/samples`, { body: { ...SAMPLE, name: 'secret-name' } });
  const out = (body: object) =>
    world.call('POST', `/bots/${here}/promote`, { bearer: limited, body: { project: own.projectId, ...body } });
  const back = (body: object) =>
    own.call('POST', `/bots/${there}/promote`, { body: { project: world.projectId, ...body } });
  expectOutcome(await out({ samples: true }), 403);
  expectOutcome(await back({ samples: true }), 403);
  const tried = await back({ live: true });
  expectOutcome(tried, 422, 'live');
  const forced = await back({ live: true, force: true });
  expect(forced.body, forced.text).toMatchObject({ samples: [{ name: '1', ok: false, differences: [] }] });
  for (const { text } of [tried, forced]) expect(text).not.toMatch(/secret-name|old/);
  expect((await out({})).status).toBe(200);
  expect((await own.call('GET', `/bots/${there}/samples`)).body.rows).toEqual([]);
});

describe('404', () => {
  test('no bot there has its identifier, and none is to be made', async () => {
    const world = await createWorld();
    const other = await another(world);
    const here = await makeBot(world.call);
    await deploy(world.owner.bearer, here, USES);
    expectOutcome(await promote(world, here, { project: other.projectId }), 404, 'create');
  });
});

describe('409', () => {
  test('a bot without an identifier, or of which nothing is live', async () => {
    const world = await createWorld();
    const other = await another(world);
    const nameless = await makeBot(world.call, []);
    const body = { project: other.projectId, create: true };
    expectOutcome(await promote(world, nameless, body), 409);
    await deploy(world.owner.bearer, nameless, USES);
    expectOutcome(await promote(world, nameless, body), 409);
  });
});

test('two who make the bot there at once make one', async () => {
  const world = await createWorld();
  const other = await another(world);
  const here = await makeBot(world.call);
  await deploy(world.owner.bearer, here, USES);
  const body = { project: other.projectId, create: true };
  const answers = await Promise.all([1, 2, 3].map(() => promote(world, here, body)));
  expect(answers.filter(({ status }) => status !== 200 && status !== 409)).toEqual([]);
  expect(answers.some(({ status }) => status === 200)).toBe(true);
  const found = await callApi(other.bearer, 'GET', '/fhir/R4/Bot?identifier=admit');
  expect(found.body.entry).toHaveLength(1);
  expect((await promote(world, here, body)).body).toMatchObject({ created: false });
});

describe('412', () => {
  test('several bots there have it', async () => {
    const { world, other, here } = await pair();
    await makeBot(other.call);
    expectOutcome(await promote(world, here, { project: other.projectId }), 412);
  });
});

describe('422', () => {
  test('it goes live against the samples there only by force', async () => {
    const { world, other, here, there } = await pair();
    await deploy(world.owner.bearer, here, bot('return "new";'));
    await other.call('POST', `/bots/${there}/samples`, { body: SAMPLE });
    const body = { project: other.projectId, live: true };
    expectOutcome(await promote(world, here, body), 422, 'live', 'live');
    expect((await other.call('GET', `/bots/${there}/versions`)).body.rows).toEqual([]);
    expect((await promote(world, here, { ...body, force: true })).body).toMatchObject({
      live: true,
      samples: [{ name: 'An order', ok: false }],
    });
  });
});
