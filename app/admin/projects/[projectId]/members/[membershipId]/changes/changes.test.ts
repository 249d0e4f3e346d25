import { and, eq, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { newId } from '#lib/base/ids.ts';
import { applyDueChanges } from '#lib/domain/people/apply-change.ts';
import { accountChange } from '#lib/infra/db/schema/account-change.ts';
import { resourceHistory } from '#lib/infra/db/schema/fhir/resource.ts';
import { login as logins } from '#lib/infra/db/schema/login.ts';
import { type Accepted, acceptedMember, auditOf, login, operateUser } from '#lib/testing/accounts.ts';
import { callApi, expectOutcome } from '#lib/testing/call-api.ts';
import { enrollTotp, startSignIn } from '#lib/testing/factors.ts';
import { toLink, waitingMail } from '#lib/testing/links.ts';
import { CTX, makeOwner, PASSWORD, signIn } from '#lib/testing/people.ts';
import { makeDirectory, patchOp } from '#lib/testing/scim.ts';
import { db } from '#lib/testing/set-up/own-db.ts';
import { anEmail, createWorld, type World } from '#lib/testing/world.ts';

const DAY_MS = 86_400_000;
const after = (ms: number) => applyDueChanges(CTX, undefined, new Date(Date.now() + ms));
const update = (world: World, userId: string, email: string) =>
  operateUser(world.owner.bearer, userId, 'update-email', { email });
const reset = (world: World, id: string, body: object = {}) => world.call('POST', `/members/${id}/mfa/reset`, { body });
const list = async (world: World, id: string) => (await world.call('GET', `/members/${id}/changes`)).body.changes;
const stop = async (email: string, template: string) => {
  const mail = (await waitingMail(email)).find((one) => one.template === template);
  return callApi(undefined, 'POST', '/auth/changes/stop', { body: toLink(mail?.params.url) });
};
const needsFactor = async (world: World, { email }: Accepted) =>
  (await startSignIn({ email }, { projectId: world.projectId })).body.mfaRequired === true;

async function waitingWorld(wait = '3d'): Promise<World> {
  const world = await createWorld();
  await setWait(world, wait);
  return world;
}

async function setWait(world: World, wait: string | undefined): Promise<void> {
  const path = `/fhir/R4/Project/${world.projectId}`;
  const project = (await callApi(world.owner.bearer, 'GET', path)).body;
  const others = (project.setting ?? []).filter(({ name }: { name: string }) => name !== 'recoveryWait');
  const setting = wait === undefined ? others : [...others, { name: 'recoveryWait', valueString: wait }];
  const body = { ...project, setting: setting.length > 0 ? setting : undefined };
  const saved = await callApi(world.owner.bearer, 'PUT', path, { body });
  if (saved.status !== 200) throw new Error(saved.text);
}

async function enrolled(world: World, scope: 'project' | 'server' = 'project'): Promise<Accepted> {
  const member = await acceptedMember(world, scope);
  await enrollTotp({ ...member, projectId: world.projectId, membershipId: member.id });
  return member;
}

test('where the project lets it wait, an address is changed later: 202, the old one hears of it at once, and again when it is done', async () => {
  const [world, next] = [await waitingWorld(), anEmail()];
  const member = await acceptedMember(world);
  const answer = await update(world, member.userId, next);
  expect([answer.status, answer.body.email]).toEqual([202, member.email]);
  const [change, ...none] = await list(world, member.id);
  expect(none).toEqual([]);
  expect(change).toMatchObject({ kind: 'address', by: 'administrator', email: next });
  expect(change.confirmed).toBeUndefined();
  const { access } = await signIn({ ...member, projectId: world.projectId, membershipId: member.id });
  expect((await callApi(`Bearer ${access}`, 'GET', '/auth/address')).body.changes).toEqual([change]);
  expect((await waitingMail(member.email))[0]?.template).toBe('address-waits');
  expectOutcome(await update(world, member.userId, anEmail()), 409);
  await after(3 * DAY_MS - 60_000);
  expect(await login(member.email, PASSWORD, world.projectId)).toBe(200);
  await Promise.all(Array.from({ length: 10 }, () => after(3 * DAY_MS)));
  expect(await login(next, PASSWORD, world.projectId)).toBe(200);
  expect(await login(member.email, PASSWORD, world.projectId)).toBe(400);
  expect((await waitingMail(member.email)).filter(({ template }) => template === 'email-changed')).toHaveLength(1);
  expect((await waitingMail(next)).map(({ template }) => template)).toContain('email-confirm');
  const user = await callApi(world.owner.bearer, 'GET', `/fhir/R4/User/${member.userId}`, {
    headers: { 'x-medplum': 'extended' },
  });
  expect(user.body.emailVerified).toBe(false);
  expect(user.body.meta.author.reference).toMatch(/^Practitioner\//);
  expect(await list(world, member.id)).toEqual([]);
});

test('an administrator who calls as a directory does has no quicker way; a directory itself says what holds', async () => {
  const [world, next] = [await waitingWorld(), anEmail()];
  const member = await acceptedMember(world);
  const emails = [{ value: next, primary: true }];
  const move = (as: string) =>
    makeDirectory(as)('PATCH', `/Users/${member.id}`, patchOp({ op: 'replace', path: 'emails', value: emails }));
  const refused = await move(world.owner.bearer);
  expect([refused.status, await login(member.email, PASSWORD, world.projectId)]).toEqual([409, 200]);
  const { token } = (await world.call('POST', '/scim', { body: { name: 'Directory' } })).body;
  expect((await move(`Bearer ${token}`)).status).toBe(200);
  expect(await login(next, PASSWORD, world.projectId)).toBe(200);
});

test('who has not come yet cannot stop anything: their address is changed at once', async () => {
  const [world, next] = [await waitingWorld(), anEmail()];
  const member = await world.invite({ scope: 'project' });
  expect((await update(world, member.user.reference.slice('User/'.length), next)).status).toBe(200);
  expect((await waitingMail(next))[0]?.template).toBe('invite');
});

test.each(['project', 'server'] as const)(
  'a second step of an account of the %s is taken away later',
  async (scope) => {
    const world = await waitingWorld();
    const member = await enrolled(world, scope);
    expectOutcome(await reset(world, member.id, { method: 'email' }), 400, 'method');
    expectOutcome(await reset(world, member.id, { passkeys: true }), 400, 'passkeys');
    expectOutcome(await reset(world, member.id), 202);
    expectOutcome(await reset(world, member.id), 409);
    expect(await list(world, member.id)).toMatchObject([{ kind: 'factors', by: 'administrator', method: 'totp' }]);
    expect((await waitingMail(member.email))[0]?.template).toBe('factors-wait');
    await after(3 * DAY_MS - 60_000);
    expect(await needsFactor(world, member)).toBe(true);
    await after(3 * DAY_MS);
    expect(await needsFactor(world, member)).toBe(false);
    expect((await waitingMail(member.email)).map(({ template }) => template)).toContain('factor-reset');
    expect(await auditOf(world.projectId, `ProjectMembership/${member.id}`)).toContain('user.factor.reset');
  },
);

test('the person stops it by the mail or takes it back by themselves, or an administrator does: then it never comes', async () => {
  const world = await waitingWorld();
  const [one, two, three] = [await enrolled(world), await enrolled(world), await enrolled(world)];
  for (const { id } of [one, two, three]) expect((await reset(world, id)).status).toBe(202);
  expect((await stop(one.email, 'factors-wait')).status).toBe(200);
  expectOutcome(await stop(one.email, 'factors-wait'), 400, 'id');
  const [theirs] = await list(world, two.id);
  const started = await callApi(undefined, 'POST', '/auth/changes/link', {
    body: toLink((await waitingMail(two.email))[0]?.params.url),
  });
  expect(started.body).toMatchObject({ kind: 'factors', by: 'administrator', purpose: 'stop', state: 'waiting' });
  expect((await world.call('DELETE', `/members/${two.id}/changes/${theirs.id}`)).status).toBe(200);
  expectOutcome(await world.call('DELETE', `/members/${two.id}/changes/${theirs.id}`), 404);
  const [own] = await list(world, three.id);
  for (const path of [
    `/members/${one.id}/changes/${own.id}`,
    `/members/${three.id}/changes/${newId()}`,
    `/members/${three.id}/changes/x`,
  ])
    expectOutcome(await world.call('DELETE', path), 404);
  await world.call('DELETE', `/members/${three.id}/changes/${own.id}`);
  await after(30 * DAY_MS);
  for (const member of [one, two, three]) expect(await needsFactor(world, member)).toBe(true);
  expect(await auditOf(world.projectId, `User/${one.userId}`)).toContain('user.change.stop');
  expect(await auditOf(world.projectId, `User/${two.userId}`)).toContain('user.change.cancel');
});

test('the sessions of a person whom an administrator meant well go on when they stop it', async () => {
  const world = await waitingWorld();
  const member = await acceptedMember(world);
  const { access } = await signIn({ ...member, projectId: world.projectId, membershipId: member.id });
  await update(world, member.userId, anEmail());
  expect((await stop(member.email, 'address-waits')).status).toBe(200);
  expect((await callApi(`Bearer ${access}`, 'GET', '/auth/me')).status).toBe(200);
});

test('it fails, and takes nothing away, where the person has left or another project has come to know them by then', async () => {
  const [world, other] = [await waitingWorld(), await createWorld()];
  const [left, known] = [await enrolled(world), await enrolled(world, 'server')];
  for (const { id } of [left, known]) await reset(world, id);
  await world.call('DELETE', `/members/${left.id}`);
  await other.invite({ email: known.email, scope: 'server' });
  await after(4 * DAY_MS);
  expect(await needsFactor(world, known)).toBe(true);
  for (const { userId } of [left, known]) {
    const [row] = await db()
      .select()
      .from(accountChange)
      .where(and(eq(accountChange.userId, userId)));
    expect(row?.outcome).toBe('failed');
    expect(await auditOf(world.projectId, `User/${userId}`)).toContain('user.change.fail');
  }
});

test('a project knows nothing of what a person changes of an account above projects; a limited member, another project and nobody know nothing at all', async () => {
  const [world, other] = [await waitingWorld(), await createWorld()];
  const member = await enrolled(world);
  const owner = await makeOwner();
  await enrollTotp(owner).then(({ access }) =>
    callApi(`Bearer ${access}`, 'POST', '/auth/address', { body: { email: anEmail() } }),
  );
  const { access: admin } = await enrollTotp(await makeOwner());
  const at = `/admin/projects/${owner.projectId}/members/${owner.membershipId}/changes`;
  expectOutcome(await callApi(`Bearer ${admin}`, 'GET', at), 403);
  await reset(world, member.id);
  const path = `/admin/projects/${world.projectId}/members/${member.id}/changes`;
  expectOutcome(await callApi(other.owner.bearer, 'GET', path), 403);
  expectOutcome(
    await callApi(other.owner.bearer, 'GET', `/admin/projects/${other.projectId}/members/${member.id}/changes`),
    404,
  );
  expectOutcome(await callApi(undefined, 'GET', path), 401);
  const invited = await world.invite({ email: owner.email, scope: 'server' });
  expect(await list(world, invited.id)).toEqual([]);
});

test('where changes wait, no administrator goes around it by a password of their own choice; of who has not come yet, they do', async () => {
  const world = await waitingWorld();
  const set = (email: string) =>
    callApi(world.owner.bearer, 'POST', '/admin/projects/setpassword', {
      body: { email, password: 'Amber-Lantern-52' },
    });
  const member = await acceptedMember(world);
  expectOutcome(await set(member.email), 409);
  expect(await login(member.email, PASSWORD, world.projectId)).toBe(200);
  const email = anEmail();
  await world.invite({ email, scope: 'project' });
  expect((await set(email)).status).toBe(200);
});

test('the setting itself is changed with a proof that is not old', async () => {
  const world = await waitingWorld();
  const at = new Date(Date.now() - 11 * 60_000);
  await db()
    .update(logins)
    .set({ authTime: at, factorAt: null, provenAt: null })
    .where(eq(logins.projectId, world.projectId));
  const path = `/fhir/R4/Project/${world.projectId}`;
  const project = (await callApi(world.owner.bearer, 'GET', path)).body;
  const answer = await callApi(world.owner.bearer, 'PUT', path, { body: { ...project, setting: undefined } });
  expectOutcome(answer, 403);
  expect(answer.body.issue[0].details.coding[0].code).toBe('insufficient_user_authentication');
});

test.each(['soon', '3', '31d', '-1d', '1.5d'])('the setting refuses “%s”', async (wait) => {
  await expect(waitingWorld(wait)).rejects.toThrow(/recoveryWait|this setting/);
});

test('a wait that is shortened or taken out goes on for as long as it was: whom it holds up does not shorten it', async () => {
  for (const wait of ['0s', '1s', undefined]) {
    const world = await waitingWorld('3d');
    const member = await enrolled(world);
    await setWait(world, wait);
    expect((await reset(world, member.id)).status).toBe(202);
    const [{ id }] = await list(world, member.id);
    await world.call('DELETE', `/members/${member.id}/changes/${id}`);
    await db()
      .update(resourceHistory)
      .set({ lastUpdated: sql`(last_updated at time zone 'UTC' - interval '4 days') at time zone 'UTC'` })
      .where(eq(resourceHistory.projectId, world.projectId));
    expect((await reset(world, member.id)).status).toBe(wait === '1s' ? 202 : 200);
  }
});
