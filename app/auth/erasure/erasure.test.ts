import { eq, sql } from 'drizzle-orm';
import { expect, onTestFinished, test } from 'vitest';
import { newId, SERVER_SCOPE } from '#lib/base/ids.ts';
import { flushSeals, startSealing } from '#lib/domain/audit/seal-soon.ts';
import { applyDueChanges } from '#lib/domain/people/apply-change.ts';
import { PLACEMENT } from '#lib/infra/db/cluster/placement.ts';
import { accountChange } from '#lib/infra/db/schema/account-change.ts';
import { apiKey } from '#lib/infra/db/schema/api-key.ts';
import { login as logins } from '#lib/infra/db/schema/login.ts';
import { verifyChain } from '#lib/protocol/audit/verify-chain.ts';
import { typeName } from '#lib/protocol/fhir/type-ids.ts';
import { acceptedMember, auditOf, login } from '#lib/testing/accounts.ts';
import { callApi, expectOutcome } from '#lib/testing/call-api.ts';
import { addPasskey } from '#lib/testing/devices/passkeys.ts';
import { enrollTotp } from '#lib/testing/factors.ts';
import { toLink, waitingMail } from '#lib/testing/links.ts';
import { CTX, makeClient, makeOwner, makePerson, PASSWORD, removeMember, signIn } from '#lib/testing/people.ts';
import { forget, importFile } from '#lib/testing/project-files.ts';
import { aUser, makeDirectory } from '#lib/testing/scim.ts';
import { db } from '#lib/testing/set-up/own-db.ts';
import { createSuperAdmin, createWorld, signIn as enter, type World } from '#lib/testing/world.ts';

const DAY_MS = 86_400_000;
const call = (method: string, path: string, bearer: string | undefined, body?: unknown) =>
  callApi(bearer, method, path, body === undefined ? {} : { body });
const ask = (bearer: string | undefined, confirm: string) => call('POST', '/auth/erasure', bearer, { confirm });
const after = (days: number) => applyDueChanges(CTX, undefined, new Date(Date.now() + days * DAY_MS));

/** Tables, but for the audit log, in which a row has the text somewhere. */
async function tablesWith(text: string): Promise<string[]> {
  const found: string[] = [];
  for (const table of Object.keys(PLACEMENT).filter((name) => name !== 'audit_event')) {
    const rows = await db().execute(
      sql`select 1 from ${sql.identifier(table)} t where position(lower(${text}) in lower(to_jsonb(t)::text)) > 0 limit 1`,
    );
    if (rows.length > 0) found.push(table);
  }
  return found;
}

async function ownMember(world: World) {
  const member = await acceptedMember(world);
  const bearer = await enter(world.projectId, member.id, `User/${member.userId}`);
  return { ...member, bearer };
}

test('after its wait an account is gone from every table but the audit log, in all of its projects, and its address is free', async () => {
  const [world, other] = [await createWorld(), await createWorld()];
  const { userId, email } = await makePerson();
  const [surname] = [`Quill${userId.slice(-8)}`];
  const invited = [];
  for (const at of [world, other]) invited.push(await at.invite({ email, scope: 'server', firstName: 'Zoe' }));
  const [first, second] = invited;
  const person = { userId, email, projectId: world.projectId, membershipId: first!.id };
  // What they are called is not what the project calls them.
  await call('PUT', '/auth/name', `Bearer ${(await signIn(person)).access}`, { firstName: 'Zed', lastName: surname });
  await addPasskey(person);
  const { access } = await enrollTotp(person);
  const bearer = `Bearer ${access}`;
  const whose = { projectId: world.projectId, membershipId: first!.id, userRef: `User/${userId}` };
  const kept = { name: surname!, secretHash: 'x', hint: 'x', scope: 'user/*.rs', expiresAt: new Date() };
  await db()
    .insert(apiKey)
    .values({ ...whose, ...kept, id: newId() });
  const ended = await world.invite({ email, scope: 'server', forceNewMembership: true });
  await world.call('DELETE', `/members/${ended.id}`);
  expect(await tablesWith(email)).toEqual(expect.arrayContaining(['mail', 'resource', 'user_login']));

  const told = await call('GET', '/auth/erasure', bearer);
  expect(told.body).toMatchObject({ confirm: email, waitDays: 14, waiting: null });
  expect(told.body.projects.map(({ membership }: { membership: string }) => membership).sort()).toEqual(
    [first!.id, second!.id].sort(),
  );
  expectOutcome(await ask(bearer, 'somebody'), 400, 'confirm');
  const asked = await ask(bearer, email.toUpperCase());
  expect(asked.status, asked.text).toBe(202);
  expect(asked.body).toMatchObject({ kind: 'erase', by: 'person' });
  expect(Math.round((Date.parse(asked.body.dueAt) - Date.now()) / DAY_MS)).toBe(14);
  expect((await waitingMail(email))[0]!.template).toBe('own-erasure-waits');
  expectOutcome(await ask(bearer, email), 409);

  await after(13.9);
  expect((await call('GET', '/auth/me', bearer)).status).toBe(200);
  const records = await Promise.all(
    [first!, second!].map(({ profile }, at) =>
      callApi([world, other][at]!.owner.bearer, 'GET', `/fhir/R4/${profile.reference}`),
    ),
  );
  await Promise.all(Array.from({ length: 5 }, () => after(14.1)));
  const [row] = await db().select().from(accountChange).where(eq(accountChange.userId, userId));
  expect(row).toMatchObject({ outcome: 'done' });

  expect((await call('GET', '/auth/me', bearer)).status).toBe(401);
  expect(await login(email, PASSWORD)).toBe(400);
  // The records that the projects keep of them, and nothing else.
  expect((await tablesWith(email)).filter((table) => !KEPT_OF_RECORDS.includes(table))).toEqual([]);
  expect(await tablesWith(surname)).toEqual([]);
  expect(await typesWith(email)).toEqual(['Practitioner']);
  for (const table of Object.keys(PLACEMENT)) {
    const [owned] = await db().execute(sql`select 1 from information_schema.columns
      where table_schema = 'public' and table_name = ${table} and column_name = 'user_id'`);
    if (!owned || table === 'account_change') continue;
    const rows = await db().execute(sql`select 1 from ${sql.identifier(table)} where user_id::text = ${userId}`);
    expect([table, rows.length]).toEqual([table, 0]);
  }
  for (const at of [0, 1]) {
    const { projectId, owner } = [world, other][at]!;
    const { id, profile } = invited[at]!;
    expect((await callApi(owner.bearer, 'GET', `/fhir/R4/ProjectMembership/${id}`)).status).toBe(410);
    expect((await callApi(owner.bearer, 'GET', `/fhir/R4/${profile.reference}`)).text).toBe(records[at]!.text);
    const actions = await auditOf(projectId, `User/${userId}`);
    expect(actions.filter((action) => action === 'user.erase')).toHaveLength(1);
  }
  expect(await auditOf(SERVER_SCOPE, `User/${userId}`)).toContain('user.erase');
  const back = await world.call('POST', `/members/${first!.id}/undo`, { body: { version: 1 } });
  expectOutcome(back, 409);
  const again = await world.invite({ email, scope: 'server' });
  expect(again.user.reference).not.toBe(`User/${userId}`);
});

const KEPT_OF_RECORDS = ['ix_string', 'resource', 'resource_history'];

/** Of which types resources have the text in any version. */
async function typesWith(text: string): Promise<string[]> {
  const rows = await db().execute<{ type_id: number }>(sql`
    select distinct type_id from resource_history where position(lower(${text}) in lower(content)) > 0`);
  return [...new Set(rows.map((row) => typeName(row.type_id)))];
}

test('a project’s own person is erased by an administrator too: the User answers 410 with nothing in its history', async () => {
  const world = await createWorld();
  const member = await ownMember(world);
  const path = `/members/${member.id}/erasure`;
  expectOutcome(await world.call('POST', path, { body: { confirm: 'x' } }), 400, 'confirm');
  const asked = await world.call('POST', path, { body: { confirm: member.email } });
  expect(asked.status, asked.text).toBe(202);
  expect(asked.body.by).toBe('administrator');
  expect((await waitingMail(member.email))[0]!.template).toBe('erasure-waits');
  expect((await world.call('GET', `/members/${member.id}/changes`)).body.changes).toEqual([asked.body]);
  expect((await call('GET', '/auth/erasure', member.bearer)).body.waiting).toEqual(asked.body);
  await after(15);
  const { bearer } = world.owner;
  expectOutcome(await callApi(bearer, 'GET', `/fhir/R4/User/${member.userId}`), 410);
  const history = await callApi(bearer, 'GET', `/fhir/R4/User/${member.userId}/_history`);
  expect(history.text).not.toContain(member.email);
  expectOutcome(await callApi(bearer, 'GET', `/fhir/R4/User/${member.userId}/_history/1`), 404);
  expect((await callApi(bearer, 'GET', `/fhir/R4/User?_id=${member.userId}`)).body.entry ?? []).toEqual([]);
  expect((await world.call('GET', '/audit')).status).toBe(200);
  const root = await createSuperAdmin();
  const file = (await callApi(root, 'GET', `/admin/projects/${world.projectId}/export`)).text;
  expect(file).toContain('"kind":"end"');
  const anew = await world.invite({ email: member.email, scope: 'project' });
  expect(anew.user.reference).not.toContain(member.userId);
  await forget(world.projectId);
  const brought = await importFile(root, file);
  expect(brought.status, brought.text).toBe(201);
});

test('the audit log of its projects is a chain, and stays whole', async () => {
  const stop = startSealing();
  onTestFinished(stop);
  const world = await createWorld();
  const member = await ownMember(world);
  await ask(member.bearer, member.email);
  await flushSeals();
  await after(15);
  await flushSeals();
  const chain = await world.call('GET', '/audit/export?format=chain');
  const { keys } = (await callApi(undefined, 'GET', '/.well-known/audit-keys.json')).body;
  const report = await verifyChain({ lines: chain.text.trimEnd().split('\n'), keys, kept: [] });
  expect(report).toMatchObject({ holds: true, breaks: [] });
  expect(chain.text).toContain('user.erase');
});

test('the mail stops it, spent by POST, and ends every session; the person takes it back, and then it does not happen', async () => {
  const world = await createWorld();
  const [one, two] = [await ownMember(world), await ownMember(world)];
  await ask(one.bearer, one.email);
  const link = toLink((await waitingMail(one.email))[0]!.params.url);
  const read = await callApi(undefined, 'POST', '/auth/changes/link', { body: link });
  expect(read.body).toMatchObject({ kind: 'erase', purpose: 'stop', state: 'waiting' });
  const presses = await Promise.all(
    Array.from({ length: 20 }, () => callApi(undefined, 'POST', '/auth/changes/stop', { body: link })),
  );
  expect(presses.filter(({ status }) => status === 200)).toHaveLength(1);
  expect((await call('GET', '/auth/me', one.bearer)).status).toBe(401);
  const { id } = (await ask(two.bearer, two.email)).body;
  expect((await call('DELETE', `/auth/changes/${id}`, two.bearer)).status).toBe(200);
  await after(30);
  for (const { email } of [one, two]) expect(await login(email, PASSWORD, world.projectId)).toBe(200);
});

test('409 for the owner, the last administrator and who is managed by a directory, naming the project; also when they became so while it waited', async () => {
  const owner = await makeOwner();
  const { access } = await signIn(owner);
  const refused = await ask(`Bearer ${access}`, owner.email);
  expectOutcome(refused, 409);
  expect(refused.text).toContain('Stone Clinic');
  expect((await call('GET', '/auth/erasure', `Bearer ${access}`)).body.projects[0].against).toContain('Stone Clinic');

  const world = await createWorld();
  const member = await ownMember(world);
  expect((await ask(member.bearer, member.email)).status).toBe(202);
  const raised = await world.call('PATCH', `/members/${member.id}`, {
    body: [{ op: 'add', path: '/admin', value: true }],
  });
  expect(raised.status, raised.text).toBe(200);
  const { projectId } = world;
  await db().execute(
    sql`update resource set content = content - 'owner' where project_id = ${projectId} and id = ${projectId}`,
  );
  await removeMember({ projectId, membershipId: world.owner.membershipId });
  await after(15);
  const [row] = await db().select().from(accountChange).where(eq(accountChange.userId, member.userId));
  expect(row?.outcome).toBe('failed');
  const [told] = await waitingMail(member.email);
  expect(told).toMatchObject({
    template: 'erasure-failed',
    params: { why: expect.stringContaining('last administrator') },
  });
  const last = await ask(member.bearer, member.email);
  expectOutcome(last, 409);
  expect(last.body.issue[0].details.coding[0].code).toBe('last-admin');

  const managed = await createWorld();
  const connected = await managed.call('POST', '/scim', { body: { name: 'Okta' } });
  const made = await makeDirectory(`Bearer ${connected.body.token}`)('POST', '/Users', aUser());
  const { user } = (await managed.call('GET', `/members/${made.body.id}`)).body;
  const { emails } = made.body;
  const theirs = await ask(await enter(managed.projectId, made.body.id, user.reference), emails[0].value);
  expectOutcome(theirs, 409);
  expect(theirs.text).toContain('Okta');
});

test('not for an old proof, a program, an app in their place, nobody, another project or a member; accounts above projects are their person’s alone', async () => {
  const [world, other] = [await createWorld(), await createWorld()];
  const [member, second] = [await ownMember(world), await ownMember(world)];
  const client = await makeClient(world.projectId, {}, { admin: true });
  expectOutcome(await ask(undefined, member.email), 401);
  expectOutcome(await ask(client.basic, member.email), 403);
  const path = `/admin/projects/${world.projectId}/members/${member.id}/erasure`;
  const body = { confirm: member.email };
  expectOutcome(await call('POST', path, other.owner.bearer, body), 403);
  expectOutcome(await call('POST', path, second.bearer, body), 403);
  expectOutcome(await call('POST', path.replace(world.projectId, other.projectId), other.owner.bearer, body), 404);
  const { email } = await makePerson();
  const above = await world.invite({ email, scope: 'server' });
  expectOutcome(await world.call('POST', `/members/${above.id}/erasure`, { body: { confirm: email } }), 403);
  expectOutcome(await world.call('POST', `/members/${client.membershipId}/erasure`, { body: { confirm: 'x' } }), 409);
  expectOutcome(await ask(member.bearer, 'x'.repeat(1000)), 400, 'confirm');
  const then = new Date(Date.now() - DAY_MS);
  await db().update(logins).set({ authTime: then, provenAt: null }).where(eq(logins.projectId, world.projectId));
  for (const answer of [
    await ask(member.bearer, member.email),
    await world.call('POST', `/members/${member.id}/erasure`, { body }),
  ]) {
    expectOutcome(answer, 403);
    expect(answer.text).toContain('Show again who you are');
  }
  expect(await db().select().from(accountChange).where(eq(accountChange.userId, member.userId))).toEqual([]);
});
