import { and, desc, eq, isNull } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { newId } from '#lib/base/ids.ts';
import { db } from '#lib/infra/db/client.ts';
import { oneTimeLink } from '#lib/infra/db/schema/identity.ts';
import { auditEvent } from '#lib/infra/db/schema/operations.ts';
import { callApi, expectOutcome } from '#lib/testing/call-api.ts';
import { callAuth } from '#lib/testing/call-auth.ts';
import { toLink, waitingMail } from '#lib/testing/links.ts';
import { makeOwner, makePerson, PASSWORD } from '#lib/testing/people.ts';
import { anEmail, createSuperAdmin, createWorld, signIn, type World } from '#lib/testing/world.ts';

const NEW_PASSWORD = 'Amber-Lantern-52';

let root: string;
let world: World;
beforeAll(async () => {
  root = await createSuperAdmin();
  world = await createWorld();
});

type Member = { id: string; userId: string; email: string; profile: string };

/** A member who has accepted. `project`: the User is the project's own. */
async function makeMember(scope: 'project' | 'server' = 'project', of = world): Promise<Member> {
  const email = anEmail();
  const made = await of.invite({ email, scope });
  const [mail] = await waitingMail(email);
  const link = toLink(mail!.params.url);
  expect((await callAuth('POST', '/auth/setpassword', { body: { ...link, password: PASSWORD } })).status).toBe(200);
  return { id: made.id, userId: made.user.reference.slice(5), email, profile: made.profile.reference };
}

const operate = (userId: string, name: string, body: unknown, by: string = world.owner.bearer) =>
  callApi(by, 'POST', `/fhir/R4/User/${userId}/$${name}`, { body });
const rescope = (userId: string, body: unknown, by?: string) => operate(userId, 'rescope', body, by);
const updateEmail = (userId: string, body: unknown, by?: string) => operate(userId, 'update-email', body, by);
const inProject = (id: string) => ({ scope: 'project', project: { reference: `Project/${id}` } });

async function login(email: string, password: string, projectId?: string): Promise<number> {
  const codeChallenge = 'v'.repeat(43);
  const fields = { email, password, projectId, codeChallenge, codeChallengeMethod: 'plain' };
  return (await callAuth('POST', '/auth/login', { body: fields })).status;
}

async function auditOf(projectId: string, target: string): Promise<string[]> {
  const here = and(eq(auditEvent.projectId, projectId), eq(auditEvent.target, target));
  const rows = await db().select().from(auditEvent).where(here).orderBy(desc(auditEvent.at));
  return rows.map(({ action }) => action);
}

describe.each(['rescope', 'update-email'])('$%s', (name) => {
  const body = name === 'rescope' ? { scope: 'global' } : { email: 'new@example.com' };

  test('401, 403 before any fault of the body, 404 for whom the caller does not decide about, 405', async () => {
    const [member, other] = [await makeMember(), await createWorld()];
    const foreign = await makeMember('project', other);
    const global = await makeMember('server');
    expectOutcome(await callApi(undefined, 'POST', `/fhir/R4/User/${member.userId}/$${name}`, { body }), 401);
    const bearer = await signIn(world.projectId, member.id, `User/${member.userId}`);
    expectOutcome(await operate(member.userId, name, {}, bearer), 403);
    for (const id of [foreign.userId, global.userId, newId(), 'nonsense']) {
      expectOutcome(await operate(id, name, body), 404);
    }
    expectOutcome(await callApi(root, 'GET', `/fhir/R4/User/${member.userId}/$${name}`), 405);
  });
});

describe('$rescope', () => {
  test('an own User becomes global and leaves behind what the administrators may know', async () => {
    const member = await makeMember();
    const bearer = await signIn(world.projectId, member.id, `User/${member.userId}`);
    const parameter = [{ name: 'scope', valueCode: 'global' }];
    const answer = await rescope(member.userId, { resourceType: 'Parameters', parameter });
    expect([answer.status, answer.body.id, answer.body.project]).toEqual([200, member.userId, undefined]);
    expect(answer.body.emailVerified).toBe(false);
    expect((await callApi(bearer, 'GET', '/auth/me')).status).toBe(401);
    expect(await login(member.email, PASSWORD)).toBe(400);
    expect((await callApi(world.owner.bearer, 'GET', `/fhir/R4/User/${member.userId}`)).status).toBe(410);
    const [mail] = await waitingMail(member.email);
    expect(mail!.template).toBe('rescoped');
    const link = toLink(mail!.params.url);
    await callAuth('POST', '/auth/setpassword', { body: { ...link, password: NEW_PASSWORD } });
    expect(await login(member.email, NEW_PASSWORD)).toBe(200);
    for (const scope of [world.projectId, '00000000-0000-0000-0000-000000000000']) {
      expect(await auditOf(scope, `User/${member.userId}`)).toContain('user.rescope');
    }
    expectOutcome(await rescope(member.userId, { scope: 'global' }, root), 400, 'scope');
  });

  test('a link that was handed over dies with it', async () => {
    const member = await world.invite({ scope: 'project', sendEmail: false, returnLink: true });
    const userId = member.user.reference.slice(5);
    const link = toLink((member.extension as { valueUrl: string }[])[0]!.valueUrl);
    expect((await rescope(userId, { scope: 'global' })).status).toBe(200);
    expectOutcome(await callAuth('POST', '/auth/setpassword', { body: { ...link, password: PASSWORD } }), 400);
  });

  test('a super-admin moves both ways, and back again', async () => {
    const member = await makeMember('server');
    const there = await rescope(member.userId, inProject(world.projectId), root);
    expect([there.status, there.body.project]).toEqual([200, { reference: `Project/${world.projectId}` }]);
    expect(there.body.emailVerified).toBe(true);
    expect((await callApi(world.owner.bearer, 'GET', `/fhir/R4/User/${member.userId}`)).status).toBe(200);
    expect(await login(member.email, PASSWORD, world.projectId)).toBe(200);
    expect((await rescope(member.userId, { scope: 'global' }, root)).status).toBe(200);
    expect((await rescope(member.userId, inProject(world.projectId), root)).status).toBe(200);
  });

  test('409 for whom another project knows, for its owner, and for an address that is taken', async () => {
    const other = await createWorld();
    const shared = await makeMember('server');
    await other.invite({ email: shared.email, scope: 'server' });
    expectOutcome(await rescope(shared.userId, inProject(world.projectId), root), 409, 'project');
    expectOutcome(await rescope(other.owner.userId, inProject(other.projectId), root), 409, 'project');
    const { email } = await makePerson();
    const member = await world.invite({ email, scope: 'project' });
    expectOutcome(await rescope(member.user.reference.slice(5), { scope: 'global' }), 409, 'scope');
  });

  test('a membership does not come back to an account that another project has taken over', async () => {
    const other = await createWorld();
    const member = await makeMember('server');
    await world.call('DELETE', `/members/${member.id}`);
    expect((await rescope(member.userId, inProject(other.projectId), root)).status).toBe(200);
    expectOutcome(await world.call('POST', `/members/${member.id}/undo`, { body: { version: 1 } }), 409);
  });

  test.each([
    ['no scope', {}, ['scope']],
    ['an unknown scope', { scope: 'server' }, ['scope']],
    ['no project', { scope: 'project' }, ['project']],
    ['a bad reference', { scope: 'project', project: { reference: 'Patient/1' } }, ['project.reference']],
    ['a project too many', { scope: 'global', project: { reference: 'Project/1' } }, ['project']],
  ])('400 for %s', async (_, body, expressions) => {
    expectOutcome(await rescope((await makeMember()).userId, body, root), 400, ...expressions);
  });

  test('an unknown project is 404; another one, for an administrator, 403; without an address there is no global User', async () => {
    const member = await makeMember();
    for (const id of [newId(), 'nonsense']) expectOutcome(await rescope(member.userId, inProject(id), root), 404);
    for (const id of [newId(), (await createWorld()).projectId]) {
      expectOutcome(await rescope(member.userId, inProject(id)), 403);
    }
    const silent = await world.invite({ email: undefined, externalId: newId() });
    expectOutcome(await rescope(silent.user.reference.slice(5), { scope: 'global' }), 400, 'scope');
  });
});

describe('$update-email', () => {
  test('the new address signs in, unproven until its mail is answered; the old one is told and no longer does', async () => {
    const [member, email] = [await makeMember(), anEmail()];
    const answer = await updateEmail(member.userId, { email: ` ${email.toUpperCase()} ` });
    expect([answer.status, answer.body.email, answer.body.emailVerified]).toEqual([200, email, false]);
    expect(await login(member.email, PASSWORD, world.projectId)).toBe(400);
    expect(await login(email, PASSWORD, world.projectId)).toBe(200);
    expect((await waitingMail(member.email)).map(({ template }) => template)).toContain('email-changed');
    const [mail] = await waitingMail(email);
    expect(mail!.template).toBe('email-confirm');
    await callAuth('POST', '/auth/setpassword', {
      body: { ...toLink(mail!.params.url), password: NEW_PASSWORD },
    });
    const read = await callApi(world.owner.bearer, 'GET', `/fhir/R4/User/${member.userId}`);
    expect(read.body.emailVerified).toBe(true);
    const membership = await world.call('GET', `/members/${member.id}`);
    expect(membership.body.user.display).toBe(email);
    const profile = await callApi(world.owner.bearer, 'GET', `/fhir/R4/${member.profile}`);
    expect(profile.body.telecom[0].value).toBe(member.email);
    expect(await auditOf(world.projectId, `User/${member.userId}`)).toContain('user.email.update');
  });

  test('links that went to the old address die', async () => {
    const [member, email] = [await makeMember(), anEmail()];
    await world.call('POST', `/members/${member.id}/resetpassword`);
    const [reset] = await waitingMail(member.email);
    await updateEmail(member.userId, { email });
    const body = { ...toLink(reset!.params.url), password: NEW_PASSWORD };
    expectOutcome(await callAuth('POST', '/auth/setpassword', { body }), 400);
  });

  test('who has not accepted yet is invited at the new address, by one link', async () => {
    const [wrong, email] = [anEmail(), anEmail()];
    const member = await world.invite({ email: wrong, scope: 'project' });
    const [first] = await waitingMail(wrong);
    expect((await updateEmail(member.user.reference.slice(5), { email })).status).toBe(200);
    const [mail] = await waitingMail(email);
    expect(mail!.template).toBe('invite');
    const open = and(eq(oneTimeLink.membershipId, member.id), isNull(oneTimeLink.supersededAt));
    expect(await db().select().from(oneTimeLink).where(open)).toHaveLength(1);
    const spend = (url: string | undefined) =>
      callAuth('POST', '/auth/setpassword', { body: { ...toLink(url), password: PASSWORD } });
    expectOutcome(await spend(first!.params.url), 400);
    expect((await spend(mail!.params.url)).status).toBe(200);
  });

  test('with updateProfileTelecom the profile has it too, and keeps the rest', async () => {
    const [member, email] = [await makeMember(), anEmail()];
    const profile = `/fhir/R4/${member.profile}`;
    const before = (await callApi(world.owner.bearer, 'GET', profile)).body;
    const phone = { system: 'phone', value: '1' };
    await callApi(world.owner.bearer, 'PUT', profile, { body: { ...before, telecom: [phone, ...before.telecom] } });
    const parameter = [
      { name: 'email', valueString: email },
      { name: 'updateProfileTelecom', valueBoolean: true },
    ];
    expect((await updateEmail(member.userId, { resourceType: 'Parameters', parameter })).status).toBe(200);
    const after = (await callApi(world.owner.bearer, 'GET', profile)).body;
    expect(after.telecom).toEqual([phone, { ...before.telecom[0], value: email }]);
  });

  test('an address for who had none', async () => {
    const [member, email] = [await world.invite({ email: undefined, externalId: newId() }), anEmail()];
    expect((await updateEmail(member.user.reference.slice(5), { email })).status).toBe(200);
    expect((await waitingMail(email))[0]!.template).toBe('invite');
  });

  test('the same address changes nothing and tells nobody', async () => {
    const member = await makeMember();
    const told = (await waitingMail(member.email)).length;
    const answer = await updateEmail(member.userId, { email: member.email });
    expect([answer.status, answer.body.emailVerified]).toEqual([200, true]);
    expect(await waitingMail(member.email)).toHaveLength(told);
  });

  test('409 for an address of the project; one that only strangers use is free, and its account untouched', async () => {
    const [member, own, global] = [await makeMember(), await makeMember(), await makeMember('server')];
    for (const email of [own.email, global.email]) {
      expectOutcome(await updateEmail(member.userId, { email }), 409, 'email');
    }
    const stranger = await makeOwner();
    expect((await updateEmail(member.userId, { email: stranger.email })).status).toBe(200);
    expect(await login(stranger.email, PASSWORD)).toBe(200);
    expect((await waitingMail(member.email)).length).toBeGreaterThan(0);
  });

  test('of two who want the same address at once one gets it', async () => {
    const [one, two, email] = [await makeMember(), await makeMember(), anEmail()];
    const answers = await Promise.all([one, two].map(({ userId }) => updateEmail(userId, { email })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  test('a super-admin also changes that of a global User', async () => {
    const { userId, email: old } = await makePerson();
    const email = anEmail();
    expect((await updateEmail(userId, { email }, root)).status).toBe(200);
    expect(await login(old, PASSWORD)).toBe(400);
    expectOutcome(await updateEmail((await makePerson()).userId, { email }, root), 409, 'email');
  });

  test.each([
    [{}, ['email']],
    [{ email: 'x' }, ['email']],
    [{ email: 'a@example.com', updateProfileTelecom: 'yes' }, ['updateProfileTelecom']],
    [{ email: 'a@example.com', emailVerified: true }, ['emailVerified']],
  ])('400 for %j', async (body, expressions) => {
    expectOutcome(await updateEmail((await makeMember()).userId, body), 400, ...expressions);
  });
});
