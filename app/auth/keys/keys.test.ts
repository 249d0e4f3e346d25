import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { newId } from '#lib/base/ids.ts';
import { dropOver } from '#lib/http/server/sweeper.ts';
import { watchStatements } from '#lib/infra/db/client.ts';
import { startInvalidation, stopInvalidation } from '#lib/infra/db/invalidation.ts';
import { apiKey } from '#lib/infra/db/schema/api-key.ts';
import { auditOf } from '#lib/testing/accounts.ts';
import { callApi, expectOutcome } from '#lib/testing/call-api.ts';
import { callAuth } from '#lib/testing/call-auth.ts';
import { makeClient, makeOwner } from '#lib/testing/people.ts';
import { expectScimError } from '#lib/testing/scim.ts';
import { db } from '#lib/testing/set-up/own-db.ts';
import { PHONE, visit } from '#lib/testing/sign-in/visits.ts';
import { createWorld, signIn, type World } from '#lib/testing/world.ts';

let world: World;

beforeAll(async () => {
  world = await createWorld();
  await allow(world, true);
  await startInvalidation();
  return stopInvalidation;
});

async function allow(of: World, valueBoolean: boolean) {
  const set = await of.call('POST', '/settings', { body: [{ name: 'apiKeys', valueBoolean }] });
  expect(set.status, set.text).toBe(200);
}

const DAY_MS = 86_400_000;
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();
const aKey = (fields: object = {}) => ({ name: 'Script', scope: 'user/Patient.rs', expiresAt: inDays(90), ...fields });

/** A member who is signed in. */
async function somebody(fields: Record<string, unknown> = {}, of = world) {
  const { id, user } = await of.invite(fields);
  return { id, user: user.reference, bearer: await signIn(of.projectId, id, user.reference) };
}

async function make(bearer: string, fields: object = {}) {
  const made = await callApi(bearer, 'POST', '/auth/keys', { body: aKey(fields) });
  expect(made.status, made.text).toBe(201);
  return { ...made.body, bearer: `Bearer ${made.body.key}` } as { id: string; key: string; bearer: string };
}

const read = (bearer: string, path = '/fhir/R4/Patient') => callApi(bearer, 'GET', path).then(({ status }) => status);

test('a key is shown once, kept as a hash, recognisable, and opens what its scopes leave of the person’s rights', async () => {
  const { id: membershipId, bearer } = await somebody();
  const made = await callApi(bearer, 'POST', '/auth/keys', { body: aKey() });
  expect(made.status, made.text).toBe(201);
  const { key, ...row } = made.body;
  expect(key).toMatch(/^gh_[\w-]{86}$/);
  expect(row).toEqual({
    id: expect.any(String),
    name: 'Script',
    hint: key.slice(-4),
    scope: 'user/Patient.rs',
    createdAt: expect.any(String),
    expiresAt: expect.any(String),
    lastUsedAt: null,
  });
  const list = await callApi(bearer, 'GET', '/auth/keys');
  expect(list.body).toEqual({ allowed: true, rows: [row] });
  const kept = await db().select().from(apiKey).where(eq(apiKey.id, row.id));
  expect(JSON.stringify(kept)).not.toContain(key.slice(3, -4));
  const with_ = `Bearer ${key}`;
  expect([await read(with_), await read(with_, '/fhir/R4/Observation')]).toEqual([200, 403]);
  expectOutcome(await callApi(with_, 'POST', '/fhir/R4/Patient', { body: { resourceType: 'Patient' } }), 403);
  expect((await callApi(with_, 'GET', '/auth/me')).body.membership.id).toBe(membershipId);
  await expect
    .poll(async () => (await callApi(bearer, 'GET', '/auth/keys')).body.rows[0].lastUsedAt)
    .toEqual(expect.any(String));
  expect((await callApi(bearer, 'DELETE', `/auth/keys/${row.id}`)).status).toBe(200);
  expect(await read(with_)).toBe(401);
  expect(await auditOf(world.projectId, `ProjectMembership/${membershipId}`)).toEqual(
    expect.arrayContaining(['key.create', 'key.end']),
  );
});

test('a read with a key that was seen before is one statement', async () => {
  const { bearer } = await make((await somebody()).bearer);
  const path = `/fhir/R4/Patient/${newId()}`;
  await callApi(bearer, 'GET', path);
  const seen: string[] = [];
  const stop = watchStatements((text) => void seen.push(text));
  await callApi(bearer, 'GET', path);
  stop();
  expect(seen.filter((text) => /from resource/.test(text))).toHaveLength(1);
  expect(seen.filter((text) => /api_key|membership_key|from login/.test(text))).toEqual([]);
});

test('a key of an administrator administers nothing, and widens nobody', async () => {
  const { bearer } = await make(world.owner.bearer, { scope: 'user/*.cruds system/*.cruds' });
  expect(await read(bearer)).toBe(200);
  for (const path of [`/admin/projects/${world.projectId}`, `/admin/projects/${world.projectId}/scim`]) {
    expectOutcome(await callApi(bearer, 'GET', path), 403);
  }
  expectOutcome(await callApi(bearer, 'GET', '/fhir/R4/AccessPolicy'), 403);
  expectScimError(await callApi(bearer, 'GET', '/scim/v2/Users'), 403);
  const policy = { resourceType: 'AccessPolicy', name: 'Slots', resource: [{ resourceType: 'Slot' }] };
  const { body } = await callApi(world.owner.bearer, 'POST', '/fhir/R4/AccessPolicy', { body: policy });
  const limited = await somebody({ access: [{ policy: { reference: `AccessPolicy/${body.id}` } }] });
  const theirs = await make(limited.bearer, { scope: 'user/*.cruds' });
  expect([await read(theirs.bearer, '/fhir/R4/Slot'), await read(theirs.bearer)]).toEqual([200, 403]);
  const headers = { 'x-medplum-on-behalf-of': `ProjectMembership/${limited.id}` };
  expect((await callApi(bearer, 'GET', '/fhir/R4/Slot', { headers })).status).toBeGreaterThanOrEqual(400);
});

test('with a key nobody touches the account: no keys, passwords, factors, passkeys or sessions', async () => {
  const { id, bearer } = await make(world.owner.bearer, { scope: 'user/*.cruds' });
  for (const [method, path, body] of [
    ['POST', '/auth/keys', aKey()],
    ['GET', '/auth/keys', undefined],
    ['DELETE', `/auth/keys/${id}`, undefined],
    ['POST', '/auth/changepassword', { oldPassword: 'x'.repeat(9), newPassword: 'Violet-Hammock-42' }],
    ['GET', '/auth/mfa/status', undefined],
    ['GET', '/auth/passkeys', undefined],
    ['POST', '/auth/passkeys/options', {}],
    ['POST', '/auth/revoke', { loginId: newId() }],
    ['GET', '/auth/memberships', undefined],
  ] as const) {
    const answer = await callApi(bearer, method, path, { body });
    expect([path, answer.status]).toEqual([path, 403]);
  }
});

test('a key is no token of OAuth: nothing is told of it, and nothing is exchanged for it', async () => {
  const { key, bearer } = await make(world.owner.bearer);
  const { basic, id } = await makeClient(world.projectId, {}, { admin: true });
  const form = (fields: Record<string, string>) => ({ body: new URLSearchParams(fields) });
  const asked = await callApi(basic, 'POST', '/oauth2/introspect', form({ token: key }));
  expect(asked.body).toEqual({ active: false });
  const told = await callApi(bearer, 'GET', '/oauth2/userinfo');
  expect(Object.keys(told.body)).toEqual(['sub']);
  expect(told.text).not.toContain(world.owner.email);
  const grant_type = 'urn:ietf:params:oauth:grant-type:token-exchange';
  const subject_token_type = 'urn:ietf:params:oauth:token-type:access_token';
  const exchange = form({ grant_type, subject_token_type, subject_token: key, client_id: id });
  expect((await callApi(undefined, 'POST', '/oauth2/token', exchange)).status).toBe(400);
  await callApi(basic, 'POST', '/oauth2/revoke', form({ token: key }));
  expect(await read(bearer)).toBe(200);
});

describe('a key ends', () => {
  test('when its time is over, also for who had it in use; a month later it is gone', async () => {
    const { bearer: person } = await somebody();
    const { id, bearer } = await make(person, { expiresAt: inDays(365) });
    expect(await read(bearer)).toBe(200);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 366 * DAY_MS });
    onTestFinished(() => void vi.useRealTimers());
    expect(await read(bearer)).toBe(401);
    vi.useRealTimers();
    await db()
      .update(apiKey)
      .set({ expiresAt: new Date(Date.now() - 31 * DAY_MS) })
      .where(eq(apiKey.id, id));
    await dropOver();
    expect(await db().select().from(apiKey).where(eq(apiKey.id, id))).toEqual([]);
  });

  test('with the membership, and when that is set inactive: it does not come back', async () => {
    const [gone, off] = [await somebody(), await somebody()];
    const keys = [await make(gone.bearer), await make(off.bearer)];
    for (const { bearer } of keys) expect(await read(bearer)).toBe(200);
    expect((await world.call('DELETE', `/members/${gone.id}`)).status).toBe(200);
    const set = (value: boolean) =>
      world.call('PATCH', `/members/${off.id}`, { body: [{ op: 'add', path: '/active', value }] });
    expect((await set(false)).status).toBe(200);
    for (const { bearer } of keys) expect(await read(bearer)).toBe(401);
    expect((await set(true)).status).toBe(200);
    expect(await read(keys[1]!.bearer)).toBe(401);
  });

  test('when an administrator ends one, all, or the sessions of its person', async () => {
    const { id, bearer } = await somebody();
    const [one, two, three] = [await make(bearer), await make(bearer, { name: 'Two' }), await make(bearer)];
    const path = `/members/${id}/keys`;
    const { body, text } = await world.call('GET', path);
    expect(body.rows.map(({ name }: { name: string }) => name).sort()).toEqual(['Script', 'Script', 'Two']);
    expect(text).not.toContain(one.key);
    expect((await world.call('DELETE', `${path}/${one.id}`)).body).toEqual({ ended: 1 });
    expect([await read(one.bearer), await read(two.bearer)]).toEqual([401, 200]);
    expectOutcome(await world.call('DELETE', `${path}/${one.id}`), 404);
    expect((await world.call('DELETE', path)).body).toEqual({ ended: 2 });
    expect((await world.call('DELETE', path)).body).toEqual({ ended: 0 });
    expect([await read(two.bearer), await read(three.bearer)]).toEqual([401, 401]);
    const last = await make(bearer);
    expect((await world.call('DELETE', `/members/${id}/sessions`)).status).toBe(200);
    expect(await read(last.bearer)).toBe(401);
  });

  test('but not with one browser of several that is signed out: it belongs to none', async () => {
    const owner = await makeOwner();
    const here = await visit(owner);
    const there = await visit(owner, { agent: PHONE });
    const token = here.access;
    const path = `/admin/projects/${owner.projectId}/settings`;
    await callAuth('POST', path, { token, body: [{ name: 'apiKeys', valueBoolean: true }] });
    const { bearer } = await make(`Bearer ${token}`);
    const { devices } = (await callAuth('GET', '/auth/devices', { token })).body;
    const phone = devices.find(({ os }: { os: string }) => os === 'iOS');
    expect((await callAuth('DELETE', `/auth/devices/${phone.id}`, { token })).body).toEqual({ ended: 1 });
    expect([await read(`Bearer ${there.access}`), await read(bearer)]).toEqual([401, 200]);
  });

  test('while the project has no keys: it works again when the project has them again', async () => {
    const own = await createWorld();
    const refused = await callApi(own.owner.bearer, 'POST', '/auth/keys', { body: aKey() });
    expectOutcome(refused, 403);
    expect((await callApi(own.owner.bearer, 'GET', '/auth/keys')).body).toEqual({ allowed: false, rows: [] });
    await allow(own, true);
    const { bearer } = await make(own.owner.bearer);
    expect(await read(bearer)).toBe(200);
    await allow(own, false);
    expect(await read(bearer)).toBe(401);
    await allow(own, true);
    expect(await read(bearer)).toBe(200);
  });
});

describe('what is refused', () => {
  test('a body that is none, no end, too far an end, and scopes that are none', async () => {
    const { bearer } = await somebody();
    const send = (fields: object) => callApi(bearer, 'POST', '/auth/keys', { body: aKey(fields) });
    for (const scope of [
      undefined,
      '',
      ' ',
      'openid',
      'user/Patient.rs openid',
      'user/Nothing.rs',
      'user/Patient.x',
      7,
    ]) {
      expectOutcome(await send({ scope }), 400, 'scope');
    }
    for (const expiresAt of [
      undefined,
      'soon',
      inDays(-1),
      inDays(400),
      '9999-01-01T00:00:00Z',
      '-000001-01-01T00:00:00Z',
      7,
    ]) {
      expectOutcome(await send({ expiresAt }), 400, 'expiresAt');
    }
    expectOutcome(await send({ name: '' }), 400, 'name');
    for (const name of ['a\u0000b', '\ud800']) expectOutcome(await send({ name }), 400);
    expectOutcome(await send({ scope: `user/Patient.rs?name=${'x'.repeat(2000)}` }), 400, 'scope');
    expectOutcome(await send({ more: 1 }), 400, 'more');
    const all = await Promise.all(Array.from({ length: 50 }, () => send({})));
    expect(all.filter(({ status }) => status === 201)).toHaveLength(10);
    expect(all.filter(({ status }) => status === 409)).toHaveLength(40);
  });

  test('a key that was made up or changed, a program, and who is no administrator or of another project', async () => {
    const { id, bearer } = await somebody();
    const { id: keyId, key } = await make(bearer);
    const last = key.at(-1) === 'A' ? 'B' : 'A';
    for (const wrong of ['gh_', 'gh_x', `${key}x`, `${key.slice(0, -3)}${last}AA`, key.replace('gh_', 'gscim_')]) {
      expectOutcome(await callApi(`Bearer ${wrong}`, 'GET', '/fhir/R4/Patient'), 401);
    }
    const program = await makeClient(world.projectId, {}, { admin: true });
    expectOutcome(await callApi(program.basic, 'POST', '/auth/keys', { body: aKey() }), 403);
    expectOutcome(await world.call('GET', `/members/${id}/keys`, { bearer }), 403);
    const other = await createWorld();
    expectOutcome(await other.call('GET', `/members/${id}/keys`), 404);
    expectOutcome(await other.call('DELETE', `/members/${id}/keys`), 404);
    expectOutcome(await callApi((await somebody()).bearer, 'DELETE', `/auth/keys/${keyId}`), 404);
    expectOutcome(await callApi(bearer, 'DELETE', '/auth/keys/x'), 404);
    expect(await read(`Bearer ${key}`)).toBe(200);
  });
});
