import { and, eq, isNull } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { newId } from '#lib/base/ids.ts';
import { oneTimeLink } from '#lib/infra/db/schema/login.ts';
import { acceptedMember, auditOf, login, operateUser, spendLink } from '#lib/testing/accounts.ts';
import { callApi, expectOutcome } from '#lib/testing/call-api.ts';
import { waitingMail } from '#lib/testing/links.ts';
import { makeOwner, makePerson, PASSWORD } from '#lib/testing/people.ts';
import { db } from '#lib/testing/set-up/own-db.ts';
import { anEmail, createSuperAdmin, createWorld, type World } from '#lib/testing/world.ts';

const NEW_PASSWORD = 'Amber-Lantern-52';

let root: string;
let world: World;
beforeAll(async () => {
  root = await createSuperAdmin();
  world = await createWorld();
});

const makeMember = (scope?: 'project' | 'server', of = world) => acceptedMember(of, scope);
const updateEmail = (userId: string, body: unknown, by = world.owner.bearer) =>
  operateUser(by, userId, 'update-email', body);

describe('$update-email', () => {
  test('the new address signs in, unproven until its mail is answered; the old one is told and no longer does', async () => {
    const [member, email] = [await makeMember(), anEmail()];
    const answer = await updateEmail(member.userId, { email: ` ${email.toUpperCase()} ` });
    expect([answer.status, answer.body.email, answer.body.emailVerified]).toEqual([200, email, false]);
    expect(await login(member.email, PASSWORD, world.projectId)).toBe(400);
    expect(await login(email, PASSWORD, world.projectId)).toBe(200);
    expect((await waitingMail(member.email)).map(({ template }) => template)).toContain('email-changed');
    const mail = (await waitingMail(email)).find(({ template }) => template === 'email-confirm');
    await spendLink(mail!.params.url, NEW_PASSWORD);
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
    expectOutcome(await spendLink(reset!.params.url, NEW_PASSWORD), 400);
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
    expectOutcome(await spendLink(first!.params.url, PASSWORD), 400);
    expect((await spendLink(mail!.params.url, PASSWORD)).status).toBe(200);
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
