import { beforeEach, expect, test, vi } from 'vitest';
import { env } from '#lib/base/env.ts';
import { newId } from '#lib/base/ids.ts';
import { startBackground } from '#lib/http/server/background.ts';
import { checkServer } from '#lib/infra/db/check-server.ts';
import { cacheIsLive } from '#lib/infra/db/invalidation.ts';
import { acceptedMember } from './accounts.ts';
import { deployedBot } from './bots.ts';
import { invites, readJob, startJob } from './bulk-jobs.ts';
import { type Answer, callApi } from './call-api.ts';
import { callAuth } from './call-auth.ts';
import { changeSettings } from './change-settings.ts';
import { askToken, PASSWORD } from './people.ts';
import { isPoolerInstalled, startPooler } from './servers/pooler.ts';
import { createWorld, type World } from './world.ts';

/** One: who asked for a second connection within a transaction would wait for itself. */
const FEWEST = 1;
/** Fewer than there are clients, and connections in each pool. */
const FEW = 5;
const CLIENTS = 32;
const SECONDS = Number(process.env.POOLER_SECONDS ?? 5);
const DIRECT = env().DATABASE_URL;
const SYSTEM = 'https://pooler.example/key';
const VERIFIER = 'p'.repeat(43);
const WAIT = { timeout: 30_000, interval: 50 };

beforeEach(({ skip }) => skip(!isPoolerInstalled(), 'PgBouncer is not installed: apt-get install pgbouncer'));

/** The whole program, from its start to its end. */
async function behindPooler(size: number, work: () => Promise<void>): Promise<void> {
  const pooler = await startPooler(DIRECT, size);
  const sizes = { STATEMENT_CONNECTIONS: 8, TRANSACTION_CONNECTIONS: 8 };
  const changeBack = changeSettings({ DATABASE_URL: pooler.url, DATABASE_DIRECT_URL: DIRECT, ...sizes });
  const stop = await startBackground();
  try {
    await work();
  } finally {
    await stop();
    changeBack();
    await pooler.stop();
  }
}

test('such a pooler is refused where PostgreSQL itself is not named besides, and in its place', async () => {
  const pooler = await startPooler(DIRECT, FEW);
  const named = (settings: Parameters<typeof checkServer>[0]) => expect(checkServer(settings)).rejects;
  await named({ DATABASE_URL: pooler.url }).toThrow('Name PostgreSQL itself in DATABASE_DIRECT_URL besides');
  await named({ DATABASE_URL: pooler.url, DATABASE_DIRECT_URL: pooler.url }).toThrow('DATABASE_DIRECT_URL: leads to a');
  await pooler.stop();
});

test('by way of a pooler that shares connections between transactions all is done that is done without', () =>
  behindPooler(FEWEST, async () => {
    const { token, projectId } = await register();
    expect((await callApi(`Bearer ${token}`, 'GET', `/admin/projects/${projectId}`)).status).toBe(200);

    const world = await createWorld();
    const member = await acceptedMember(world);
    const bearer = await signIn(member.email, world.projectId);
    const body = { resourceType: 'Patient', name: [{ family: 'Pooled' }] };
    const { id } = (await callApi(bearer, 'POST', '/fhir/R4/Patient', { body })).body;
    expect((await callApi(bearer, 'GET', `/fhir/R4/Patient/${id}`)).body.name).toEqual([{ family: 'Pooled' }]);
    expect((await callApi(bearer, 'GET', '/fhir/R4/Patient?name=pooled')).body.entry).toHaveLength(1);

    const bot = await deployedBot(world, 'exports.handler = async (medplum, event) => medplum.searchOne("Patient");');
    const run = await callApi(world.owner.bearer, 'POST', `/fhir/R4/Bot/${bot}/$execute`, { body: {} });
    expect(run.body, run.text).toMatchObject({ resourceType: 'Patient', id });

    const job = await startJob(world, { kind: 'invite', rows: invites(20) });
    await vi.waitUntil(async () => (await readJob(world, job)).state === 'done', WAIT);
    expect(await readJob(world, job)).toMatchObject({ done: 20, failed: 0 });

    const patch = [{ op: 'replace', path: '/admin', value: true }];
    expect((await world.call('PATCH', `/members/${member.id}`, { body: patch })).body).toMatchObject({ admin: true });
    // Kept until a notice tells of its end, and the notice comes past the pooler.
    expect(cacheIsLive()).toBe(true);
    expect((await world.call('DELETE', `/members/${member.id}`)).status).toBe(200);
    await vi.waitUntil(async () => (await callApi(bearer, 'GET', `/fhir/R4/Patient/${id}`)).status === 401, WAIT);
  }));

test(
  'what was just written is read and found, by many at once',
  () =>
    behindPooler(FEW, async () => {
      const worlds = await Promise.all([createWorld(), createWorld(), createWorld()]);
      const until = performance.now() + SECONDS * 1000;
      const all = await Promise.all(
        Array.from({ length: CLIENTS }, (_, n) => writeAndLook(worlds[n % worlds.length]!, until)),
      );
      const rounds = all.reduce((sum, one) => sum + one.rounds, 0);
      process.stdout.write(`${CLIENTS} clients on ${FEW} connections: ${rounds} times written and looked for\n`);
      expect(all.flatMap(({ misses }) => misses)).toEqual([]);
      expect(rounds).toBeGreaterThan(CLIENTS);
    }),
  (SECONDS + 120) * 1000,
);

/** As a person does it: account, project, code, token. */
async function register(): Promise<{ token: string; projectId: string }> {
  const pkce = { codeChallenge: VERIFIER, codeChallengeMethod: 'plain' };
  const email = `p${newId().slice(-12)}@example.com`;
  const person = { firstName: 'Olga', lastName: 'Owner', email, password: PASSWORD, projectId: 'new', ...pkce };
  const { body: begun } = await callAuth('POST', '/auth/newuser', { body: person });
  const project = { login: begun.login, projectName: 'Pooled' };
  const { body: named } = await callAuth('POST', '/auth/newproject', { body: project });
  return redeemed(named.code);
}

async function signIn(email: string, projectId: string): Promise<string> {
  const body = { email, password: PASSWORD, projectId, codeChallenge: VERIFIER, codeChallengeMethod: 'plain' };
  const { body: begun } = await callAuth('POST', '/auth/login', { body });
  return `Bearer ${(await redeemed(begun.code)).token}`;
}

async function redeemed(code: string): Promise<{ token: string; projectId: string }> {
  const { body, text } = await askToken({ grant_type: 'authorization_code', code, code_verifier: VERIFIER });
  expect(body?.access_token, text).toEqual(expect.any(String));
  return { token: body.access_token, projectId: body.project.reference.slice('Project/'.length) };
}

type Looked = { rounds: number; misses: string[] };

/** Nobody else writes what it looks for. */
async function writeAndLook({ owner }: World, until: number): Promise<Looked> {
  const looked: Looked = { rounds: 0, misses: [] };
  const ask = (method: string, path: string, body?: unknown) => callApi(owner.bearer, method, path, { body });
  while (performance.now() < until) {
    const key = newId();
    const patient = {
      resourceType: 'Patient',
      identifier: [{ system: SYSTEM, value: key }],
      name: [{ family: 'New' }],
    };
    const { status, body: created, text } = await ask('POST', '/fhir/R4/Patient', patient);
    const family = `Changed${key}`;
    note('create', status === 201 && created.identifier[0].value === key, text);
    if (status !== 201) continue;
    const read = await ask('GET', `/fhir/R4/Patient/${created.id}`);
    note('read', read.body?.identifier?.[0]?.value === key, read.text);
    const found = await ask('GET', `/fhir/R4/Patient?identifier=${SYSTEM}|${key}`);
    note('search', idsOf(found) === created.id, found.text);
    const updated = await ask('PUT', `/fhir/R4/Patient/${created.id}`, { ...created, name: [{ family }] });
    note('update', updated.status === 200 && updated.body.meta.versionId !== created.meta.versionId, updated.text);
    const again = await ask('GET', `/fhir/R4/Patient/${created.id}`);
    note('read the change', again.body?.name?.[0]?.family === family, again.text);
    const named = await ask('GET', `/fhir/R4/Patient?family=${family}`);
    note('search the change', idsOf(named) === created.id, named.text);
    looked.rounds += 1;
  }
  return looked;

  function note(what: string, isRight: boolean, text: string): void {
    if (!isRight) looked.misses.push(`${what}: ${text.slice(0, 200)}`);
  }
}

function idsOf({ body }: Answer): string {
  return (body?.entry ?? []).map(({ resource }: { resource: { id: string } }) => resource.id).join();
}
