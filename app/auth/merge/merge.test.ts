import { and, eq, ne, sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { newId, SERVER_SCOPE } from '#lib/base/ids.ts';
import { write } from '#lib/domain/audit/write.ts';
import { insertMembership } from '#lib/domain/memberships/insert-membership.ts';
import { createLogin } from '#lib/domain/sign-in/create-login.ts';
import { createRow } from '#lib/domain/store/create-row.ts';
import { lockRow, requireLive } from '#lib/domain/store/find-row.ts';
import { toResource } from '#lib/domain/store/row.ts';
import { updateRow } from '#lib/domain/store/update-row.ts';
import { accountMerge } from '#lib/infra/db/schema/account-merge.ts';
import { membershipKey } from '#lib/infra/db/schema/identity.ts';
import { login as logins } from '#lib/infra/db/schema/login.ts';
import { mailDomain } from '#lib/infra/db/schema/mail-domain.ts';
import type { Project, Resource } from '#lib/protocol/fhir/types.ts';
import { acceptedMember, auditOf, login } from '#lib/testing/accounts.ts';
import { type Answer, callApi, expectOutcome } from '#lib/testing/call-api.ts';
import { type Enrolled, enrollTotp } from '#lib/testing/factors.ts';
import { waitingMail } from '#lib/testing/links.ts';
import {
  addProject,
  CTX,
  changeMember,
  makeClient,
  makeOwner,
  type Owner,
  PASSWORD,
  redeem,
  removeMember,
  signIn,
} from '#lib/testing/people.ts';
import { db } from '#lib/testing/set-up/own-db.ts';
import { createWorld } from '#lib/testing/world.ts';

type Person = Owner & Enrolled & { /** Another session, from before the second step. */ other: string };

const call = (path: string, bearer: string | undefined, body?: unknown, method = 'POST') =>
  callApi(bearer && `Bearer ${bearer}`, method, path, body === undefined ? {} : { body });
const begin = (by: Person, of: Owner, password = PASSWORD) =>
  call('/auth/merge', by.access, { email: of.email, password });
const preview = (by: Person, handle: string) => call('/auth/merge/preview', by.access, { handle });
const confirm = (by: Person, handle: string) => call('/auth/merge/confirm', by.access, { handle });
const me = (bearer: string) => call('/auth/me', bearer, undefined, 'GET');
const textOf = (answer: Answer): string => answer.body.issue[0].details.text;

/** Somebody who owns a project, and has an authenticator that this session has shown. */
async function person(): Promise<Person> {
  const owner = await makeOwner();
  const { access: other } = await signIn(owner);
  return { ...owner, other, ...(await enrollTotp(owner)) };
}

/** Both steps of the other account are shown. */
async function shown(by: Person, of: Person): Promise<{ handle: string; answer: Answer }> {
  const begun = await begin(by, of);
  expect(begun.status, begun.text).toBe(200);
  const { handle } = begun.body;
  const answer = await call('/auth/merge/verify', by.access, { handle, token: of.app.next() });
  return { handle, answer };
}

/** A session by both steps. */
async function enter({ userId, projectId, membershipId }: Owner): Promise<string> {
  const fields = { codeChallenge: 'v'.repeat(43), codeChallengeMethod: 'plain' as const };
  const shownBoth = { chosen: { projectId, membershipId }, factorAt: new Date() };
  const { code = '' } = await createLogin(CTX, userId, fields, shownBoth);
  return (await redeem({ code, code_verifier: 'v'.repeat(43) })).body.access_token;
}

async function keysOf(userId: string) {
  const mine = eq(membershipKey.userRef, `User/${userId}`);
  return db().select().from(membershipKey).where(mine).orderBy(membershipKey.membershipId);
}

test('what was another account’s is entered with this one: its memberships, its project, and nothing that signed in to it', async () => {
  const [a, b] = [await person(), await person()];
  const second = await addProject(b.userId, b.email);
  const session = b.other;
  const { handle, answer } = await shown(a, b);
  expect(answer.status, answer.text).toBe(200);
  expect(answer.body).toMatchObject({ from: b.email, into: a.email, ends: { factors: 1, passkeys: 0, keys: 0 } });
  const told = answer.body.memberships.map((one: { id: string }) => one.id).sort();
  expect(told).toEqual([b.membershipId, second.membershipId].sort());
  expect(answer.body.memberships[0]).toMatchObject({ admin: true, owner: true, beside: false });
  expect((await me(session)).status).toBe(200);
  const done = await confirm(a, handle);
  expect(done.status, done.text).toBe(200);
  expect(done.body.memberships).toEqual(answer.body.memberships);
  expect((await keysOf(a.userId)).map(({ membershipId }) => membershipId).sort()).toEqual(
    [a.membershipId, b.membershipId, second.membershipId].sort(),
  );
  expect(await keysOf(b.userId)).toEqual([]);
  for (const bearer of [session, b.access]) expect((await me(bearer)).status).toBe(401);
  expect(await login(b.email, PASSWORD)).toBe(400);
  expect(await login(a.email, PASSWORD)).toBe(200);
  const inB = await enter({ ...a, projectId: b.projectId, membershipId: b.membershipId });
  const read = await call(`/fhir/R4/ProjectMembership/${b.membershipId}`, inB, undefined, 'GET');
  expect(read.body.user).toEqual({ reference: `User/${a.userId}`, display: a.email });
  const project = await call(`/fhir/R4/Project/${b.projectId}`, inB, undefined, 'GET');
  expect(project.body.owner).toEqual({ reference: `User/${a.userId}`, display: a.email });
  const inProject = await auditOf(b.projectId, `ProjectMembership/${b.membershipId}`);
  expect(inProject).toEqual(expect.arrayContaining(['membership.merge', 'membership.update', 'membership.create']));
  expect(await auditOf(b.projectId, `Project/${b.projectId}`)).toContain('project.owner');
  expect(await auditOf(SERVER_SCOPE, `User/${b.userId}`)).toEqual(
    expect.arrayContaining(['user.merge', 'user.delete', 'user.merge.begin', 'login.verify', 'login.password']),
  );
  for (const { email } of [a, b]) {
    const mails = (await waitingMail(email)).filter(({ template }) => template === 'account-merged');
    expect(mails.map(({ params }) => [params.from, params.into])).toEqual([[b.email, a.email]]);
  }
  expectOutcome(await confirm(a, handle), 400, 'handle');
});

test('looking changes nothing, however often', async () => {
  const [a, b] = [await person(), await person()];
  const { handle, answer } = await shown(a, b);
  for (let at = 0; at < 5; at++) expect((await preview(a, handle)).body).toEqual(answer.body);
  expect((await me(b.access)).status).toBe(200);
  expect(await login(b.email, PASSWORD)).toBe(200);
  expect(await auditOf(SERVER_SCOPE, `User/${b.userId}`)).not.toContain('user.merge');
  expect((await waitingMail(a.email)).map(({ template }) => template)).not.toContain('account-merged');
});

describe('who asks', () => {
  test('shows a second step lately, in a session of their own', async () => {
    const [a, b] = [await person(), await person()];
    expectOutcome(await begin({ ...a, access: a.other }, b), 403);
    const client = await makeClient(a.projectId, {}, { admin: true });
    const body = { email: b.email, password: PASSWORD };
    expectOutcome(await callApi(client.basic, 'POST', '/auth/merge', { body }), 403);
    expectOutcome(await call('/auth/merge', undefined, body), 401);
    const { handle } = await shown(a, b);
    const at = new Date(Date.now() - 11 * 60_000);
    await db()
      .update(logins)
      .set({ authTime: at, factorAt: at, provenAt: at })
      .where(eq(logins.projectId, a.projectId));
    const old = await confirm(a, handle);
    expectOutcome(old, 403);
    expect(old.body.issue[0].details.coding[0].code).toBe('insufficient_user_authentication');
    expect(await keysOf(b.userId)).toHaveLength(1);
  });

  test('has an account above projects', async () => {
    const world = await createWorld();
    const member = await acceptedMember(world);
    const b = await person();
    const own = {
      ...b,
      userId: member.userId,
      email: member.email,
      projectId: world.projectId,
      membershipId: member.id,
    };
    const a = { ...own, other: '', ...(await enrollTotp(own)) };
    const refused = await begin(a, b);
    expectOutcome(refused, 409);
    expect(textOf(refused)).toContain('belongs to one project alone');
  });
});

describe('the other account', () => {
  test('is shown as at every sign-in: one text for a wrong password, an unknown address and an account of one project', async () => {
    const [a, b] = [await person(), await person()];
    const world = await createWorld();
    const patient = await acceptedMember(world);
    const wrong = await begin(a, b, 'Not-The-One-77');
    expectOutcome(wrong, 400);
    for (const email of [patient.email, `${newId()}@example.com`]) {
      const other = await begin(a, { ...b, email });
      expect([other.status, textOf(other)]).toEqual([wrong.status, textOf(wrong)]);
    }
    expectOutcome(await call('/auth/merge', a.access, { email: 'x', password: PASSWORD }), 400, 'email');
    expectOutcome(await call('/auth/merge', a.access, { email: b.email, password: '' }), 400, 'password');
    const long = { email: b.email, password: 'x'.repeat(5000) };
    expectOutcome(await call('/auth/merge', a.access, long), 400, 'password');
    expectOutcome(await begin(a, a), 400, 'email');
  });

  test('shows its second step: without, and with a wrong code, nothing is told and nothing done', async () => {
    const [a, b] = [await person(), await person()];
    const { handle } = (await begin(a, b)).body;
    expectOutcome(await preview(a, handle), 400, 'handle');
    expectOutcome(await confirm(a, handle), 400, 'handle');
    expectOutcome(await call('/auth/merge/verify', a.access, { handle, token: '000000' }), 400);
    expectOutcome(await confirm(a, handle), 400, 'handle');
    expectOutcome(await call('/auth/merge/code', a.access, { handle }), 400);
    expect(await keysOf(b.userId)).toHaveLength(1);
  });

  test('that has none to show is refused, in words', async () => {
    const a = await person();
    const refused = await begin(a, await makeOwner());
    expectOutcome(refused, 409);
    expect(textOf(refused)).toContain('no second step');
  });

  test('is named by a handle that only this session can use, that a newer one replaces, and that ends', async () => {
    const [a, b] = [await person(), await person()];
    const { handle } = await shown(a, b);
    const stranger = await person();
    expectOutcome(await confirm(stranger, handle), 400, 'handle');
    expectOutcome(await confirm(b, handle), 400, 'handle');
    const [row] = await db().select().from(accountMerge).where(eq(accountMerge.userId, a.userId));
    expect(JSON.stringify(row)).not.toContain(handle);
    await begin(a, b);
    expectOutcome(await confirm(a, handle), 400, 'handle');
    const again = await shown(a, b);
    await db()
      .update(accountMerge)
      .set({ expiresAt: new Date(Date.now() - 1) })
      .where(eq(accountMerge.userId, a.userId));
    expectOutcome(await confirm(a, again.handle), 400, 'handle');
  });

  test('is no longer taken in when it has put every session out meanwhile', async () => {
    const [a, b] = [await person(), await person()];
    const { handle } = await shown(a, b);
    await db()
      .update(logins)
      .set({ revoked: true })
      .where(eq(logins.userRef, `User/${b.userId}`));
    expectOutcome(await confirm(a, handle), 409);
    expect(await keysOf(b.userId)).toHaveLength(1);
  });
});

async function changeProject(projectId: string, change: Partial<Project>): Promise<void> {
  await write(CTX, async (w) => {
    const row = requireLive(await lockRow(w.tx, projectId, 'Project', projectId));
    await updateRow(w, row, { ...toResource<Project>(row), ...change }, undefined);
    w.audit({ projectId, action: 'project.update', target: `Project/${projectId}` });
  });
}

/** Beside whoever is there, on a record of their own. */
async function addMember(projectId: string, { userId, email }: Owner) {
  const row = await write(CTX, async (w) => {
    const name = [{ given: ['Ada'], family: 'Stone' }];
    const record = await createRow(w, projectId, { resourceType: 'Practitioner', name } as Resource, {
      author: undefined,
    });
    w.audit({ projectId, action: 'resource.create', target: `Practitioner/${record.id}` });
    const profile = { reference: `Practitioner/${record.id}`, display: 'Ada Stone' };
    return insertMembership(
      w,
      projectId,
      { user: { reference: `User/${userId}`, display: email }, profile },
      { author: undefined },
    );
  });
  return { projectId, membershipId: row.id };
}

/** Both, with a project that the other account alone is a member of. */
async function pair() {
  const [a, b] = [await person(), await person()];
  return { a, b, here: { projectId: b.projectId, membershipId: b.membershipId } };
}

async function expectAgainst(a: Person, b: Person, words: string): Promise<void> {
  const { answer, handle } = await shown(a, b);
  expectOutcome(answer, 409);
  expect(textOf(answer)).toContain(words);
  expectOutcome(await confirm(a, handle), 409);
  expect((await keysOf(b.userId)).length).toBeGreaterThan(0);
  expect(await auditOf(SERVER_SCOPE, `User/${b.userId}`)).not.toContain('user.merge');
}

describe('stands against it, naming the project:', () => {
  test('a membership that is locked', async () => {
    const { a, b } = await pair();
    const second = await addProject(b.userId, b.email);
    await changeMember(second, { active: false });
    await expectAgainst(a, b, 'Stone Clinic stands against it: that account’s membership is locked');
  });

  test('a membership that has ended, or has not begun', async () => {
    for (const period of [{ end: '2020-01-01' }, { start: '2999-01-01' }]) {
      const { a, b } = await pair();
      await changeMember(await addProject(b.userId, b.email), { period });
      await expectAgainst(a, b, 'Stone Clinic stands against it');
    }
  });

  test('a way to sign in that was not shown', async () => {
    const { a, b } = await pair();
    await changeMember(await addProject(b.userId, b.email), { signInWays: ['passkey'] });
    await expectAgainst(a, b, 'Stone Clinic stands against it: that account cannot enter it as you have signed in');
  });

  test('a network from where this session does not come', async () => {
    const { a, b } = await pair();
    const { projectId } = await addProject(b.userId, b.email);
    await changeProject(projectId, { setting: [{ name: 'allowedAddresses', valueString: '192.0.2.0/24' }] });
    await expectAgainst(a, b, 'cannot enter it as you have signed in');
  });

  test('a project that lets in the addresses of this account by its own provider alone', async () => {
    const { a, b } = await pair();
    const domain = a.email.split('@')[1]!;
    const row = { projectId: b.projectId, domain, challenge: 'x', enforced: true, verifiedAt: new Date() };
    const { handle } = await shown(a, b);
    await db().insert(mailDomain).values(row);
    const refused = await confirm(a, handle);
    await db().delete(mailDomain).where(eq(mailDomain.projectId, b.projectId));
    expectOutcome(refused, 409);
    expect(textOf(refused)).toContain('Stone Clinic stands against it');
    expect(await keysOf(b.userId)).toHaveLength(1);
  });

  test('a directory that manages the membership', async () => {
    const { a, b, here } = await pair();
    const connectionId = newId();
    await db().execute(
      sql`insert into scim_connection (project_id, id, name, client_id, membership_id) values (${here.projectId}, ${connectionId}, 'Okta', ${newId()}, ${newId()})`,
    );
    await db().execute(
      sql`insert into scim_member (project_id, membership_id, connection_id) values (${here.projectId}, ${here.membershipId}, ${connectionId})`,
    );
    await expectAgainst(a, b, 'Okta');
  });

  test('a project that is closed', async () => {
    const { a, b } = await pair();
    await changeProject((await addProject(b.userId, b.email)).projectId, { active: false });
    await expectAgainst(a, b, 'Stone Clinic stands against it: it is closed');
  });

  test('an invitation that waits for the proof of an address', async () => {
    const { a, b } = await pair();
    const world = await createWorld();
    await world.invite({ email: b.email, scope: 'server' });
    await expectAgainst(a, b, 'the address of one of the accounts is not confirmed');
  });

  test('an own membership there that is locked: the other one would go around it', async () => {
    const { a, b, here } = await pair();
    const mine = await addMember(here.projectId, a);
    await changeMember(mine, { active: false });
    await expectAgainst(a, b, 'your own membership there is locked');
  });

  test('more memberships than are shown to choose from', async () => {
    const { a, b } = await pair();
    for (let at = 0; at < 99; at++) {
      const id = newId();
      const key = {
        projectId: a.projectId,
        membershipId: id,
        userRef: `User/${a.userId}`,
        slot: id,
        profileRef: `X/${id}`,
      };
      await db().insert(membershipKey).values(key);
    }
    const { answer } = await shown(a, b);
    expectOutcome(answer, 409);
    expect(textOf(answer)).toContain('more than 100');
    await db()
      .delete(membershipKey)
      .where(and(eq(membershipKey.projectId, a.projectId), ne(membershipKey.slot, '')));
  });
});

describe('of several at once', () => {
  test('twenty presses merge once', async () => {
    const { a, b } = await pair();
    const { handle } = await shown(a, b);
    const answers = await Promise.all(Array.from({ length: 20 }, () => confirm(a, handle)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const { status } of answers) expect([200, 400, 409]).toContain(status);
    expect(await keysOf(a.userId)).toHaveLength(2);
    expect((await auditOf(SERVER_SCOPE, `User/${b.userId}`)).filter((one) => one === 'user.merge')).toHaveLength(1);
  });

  test('of two that take in each other one is left, with everything', async () => {
    for (let at = 0; at < 5; at++) {
      const { a, b } = await pair();
      const [intoA, intoB] = [await shown(a, b), await shown(b, a)];
      expect([intoA.answer.status, intoB.answer.status]).toEqual([200, 200]);
      const answers = await Promise.all([confirm(a, intoA.handle), confirm(b, intoB.handle)]);
      expect(answers.map(({ status }) => status).filter((status) => status === 200)).toHaveLength(1);
      expect(answers.map(({ status }) => status).filter((status) => status >= 500)).toEqual([]);
      const counts = [(await keysOf(a.userId)).length, (await keysOf(b.userId)).length].sort();
      expect(counts).toEqual([0, 2]);
    }
  });

  test('a membership that is removed meanwhile is either removed, or removed after it came over', async () => {
    for (let at = 0; at < 5; at++) {
      const { a, b } = await pair();
      const second = await addProject(b.userId, b.email);
      const { handle } = await shown(a, b);
      const [done] = await Promise.all([confirm(a, handle), removeMember(second)]);
      expect([200, 409]).toContain(done.status);
      const left = [...(await keysOf(a.userId)), ...(await keysOf(b.userId))];
      expect(left.map(({ membershipId }) => membershipId)).not.toContain(second.membershipId);
      expect(await keysOf(b.userId)).toHaveLength(done.status === 200 ? 0 : 1);
    }
  });

  test('whoever begins a project or a session of the other account meanwhile has neither afterwards', async () => {
    for (let at = 0; at < 5; at++) {
      const { a, b } = await pair();
      const { handle } = await shown(a, b);
      const tried = Promise.allSettled([addProject(b.userId, b.email), enter(b)]);
      const done = await confirm(a, handle);
      const [project, session] = await tried;
      expect(done.status, done.text).toBe(200);
      expect(await keysOf(b.userId)).toEqual([]);
      expect(await keysOf(a.userId)).toHaveLength(project.status === 'fulfilled' ? 3 : 2);
      if (session.status === 'fulfilled' && session.value) expect((await me(session.value)).status).toBe(401);
    }
  });
});

test('where both are members both memberships are kept, beside each other', async () => {
  const { a, b, here } = await pair();
  await addMember(here.projectId, a);
  const { handle, answer } = await shown(a, b);
  expect(answer.body.memberships).toMatchObject([{ id: b.membershipId, beside: true }]);
  expect((await confirm(a, handle)).status).toBe(200);
  const there = (await keysOf(a.userId)).filter(({ projectId }) => projectId === here.projectId);
  expect(there.map(({ slot }) => slot).sort()).toEqual(['', b.membershipId].sort());
});

test('an account without any membership is merged, and its address is free again', async () => {
  const { a, b, here } = await pair();
  await removeMember(here);
  const { handle, answer } = await shown(a, b);
  expect(answer.body.memberships).toEqual([]);
  expect((await confirm(a, handle)).status).toBe(200);
  const world = await createWorld();
  const again = await world.invite({ email: b.email, scope: 'server' });
  expect(again.user.reference).not.toBe(`User/${b.userId}`);
});

test('nobody begins more than ten an hour', async () => {
  const { a, b } = await pair();
  const answers: number[] = [];
  for (let at = 0; at < 11; at++) answers.push((await begin(a, b)).status);
  expect(answers.slice(0, 10).every((status) => status === 200)).toBe(true);
  expect(answers[10]).toBe(429);
});
