import { describe, expect, test } from 'vitest';
import { newId } from '#lib/base/ids.ts';
import { auditOf } from '#lib/testing/accounts.ts';
import { callApi } from '#lib/testing/call-api.ts';
import { callAuth } from '#lib/testing/call-auth.ts';
import { changeSettings } from '#lib/testing/change-settings.ts';
import { toLink, waitingMail } from '#lib/testing/links.ts';
import { makeClient, makeOwner, type Owner, PASSWORD, redeem, signIn } from '#lib/testing/people.ts';

const PKCE = { codeChallenge: 'p'.repeat(43), codeChallengeMethod: 'plain' };
const anEmail = () => `${newId().slice(-12)}@example.com`;

/** A project that is open to patients, unless `setting` says otherwise. */
async function makeClinic(setting: object[] = [{ name: 'patientRegistration', valueBoolean: true }]): Promise<Owner> {
  const owner = await makeOwner();
  await set(owner, setting);
  return owner;
}

async function set(owner: Owner, body: object[]) {
  const { access } = await signIn(owner);
  const answer = await callAuth('POST', `/admin/projects/${owner.projectId}/settings`, { token: access, body });
  expect(answer.status, answer.text).toBe(200);
}

function register(projectId: string | undefined, more: object = {}) {
  const person = { firstName: 'Pia', lastName: 'Reed', email: anEmail(), password: PASSWORD, projectId, ...PKCE };
  return callAuth('POST', '/auth/newuser', { body: { ...person, ...more } });
}

const begin = (login: string, projectId: string) =>
  callAuth('POST', '/auth/newpatient', { body: { login, projectId } });

const saysOf = ({ status, body }: Awaited<ReturnType<typeof begin>>) => [status, body.issue?.[0]?.expression?.[0]];

async function enter(code: string): Promise<string> {
  const { body } = await redeem({ code, code_verifier: 'p'.repeat(43) });
  return body.access_token;
}

describe('a project that is open to registration', () => {
  test('makes who registers its patient, with the access of patients and nothing else', async () => {
    const clinic = await makeClinic();
    const { body } = await register(clinic.projectId);
    expect(body).toEqual({ login: expect.any(String) });
    const started = await begin(body.login, clinic.projectId.toUpperCase());
    expect([started.status, started.body]).toEqual([200, { login: body.login, code: expect.any(String) }]);
    const token = await enter(started.body.code);
    const me = await callAuth('GET', '/auth/me', { token });
    expect(me.body).toMatchObject({
      project: { id: clinic.projectId },
      membership: { admin: false },
      profile: { resourceType: 'Patient', name: [{ given: ['Pia'], family: 'Reed' }] },
    });
    // Nobody has proven the address yet.
    expect(me.body.profile.telecom).toBeUndefined();
    const { access } = await signIn(clinic);
    const other = await callApi(`Bearer ${access}`, 'POST', '/fhir/R4/Patient', { body: { resourceType: 'Patient' } });
    expect((await callApi(`Bearer ${token}`, 'GET', `/fhir/R4/Patient/${other.body.id}`)).status).toBe(404);
    expect((await callApi(`Bearer ${token}`, 'GET', `/admin/projects/${clinic.projectId}`)).status).toBe(403);
    const { user, id } = me.body.membership;
    expect(await auditOf(clinic.projectId, `ProjectMembership/${id}`)).toContain('membership.create');
    expect(await auditOf(clinic.projectId, user.reference)).toContain('user.create');
    expect(saysOf(await begin(body.login, clinic.projectId))).toEqual([400, 'login']);
  });

  test('by way of a client of it, too, which decides the project', async () => {
    const clinic = await makeClinic();
    const client = await makeClient(clinic.projectId);
    const { body } = await register(undefined, { clientId: client.id });
    const { code } = (await begin(body.login, clinic.projectId)).body;
    const tokens = await redeem({ code, client_id: client.id, code_verifier: 'p'.repeat(43) });
    expect(tokens.body.profile.reference).toMatch(/^Patient\//);
    const other = await makeClinic();
    expect(saysOf(await register(other.projectId, { clientId: client.id }))).toEqual([400, 'projectId']);
    expect(saysOf(await register('new', { clientId: client.id }))).toEqual([400, 'clientId']);
  });

  test('who went away before the second step comes back to it by signing in', async () => {
    const clinic = await makeClinic();
    const email = anEmail();
    await register(clinic.projectId, { email });
    const fields = { email, password: PASSWORD, projectId: clinic.projectId, ...PKCE };
    const back = await callAuth('POST', '/auth/login', { body: fields });
    expect([back.status, back.body]).toEqual([200, { login: expect.any(String) }]);
    expect((await begin(back.body.login, clinic.projectId)).status).toBe(200);
    const again = await callAuth('POST', '/auth/login', { body: fields });
    expect(again.body.code).toBeTypeOf('string');
  });

  test('of ten at once one becomes a patient, whether of one sign-in or of several', async () => {
    const clinic = await makeClinic();
    const email = anEmail();
    const { body } = await register(clinic.projectId, { email });
    const fields = { email, password: PASSWORD, projectId: clinic.projectId, ...PKCE };
    const second = await callAuth('POST', '/auth/login', { body: fields });
    const logins = Array.from({ length: 10 }, (_, at) => (at % 2 ? body.login : second.body.login));
    const all = await Promise.all(logins.map((login) => begin(login, clinic.projectId)));
    expect(all.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(all.every(({ status }) => [200, 400, 409].includes(status))).toBe(true);
  });

  test('asks for the address to be proven first where the server does, and then tells it to the record', async () => {
    const restore = changeSettings({ VERIFY_EMAIL: true });
    try {
      const clinic = await makeClinic();
      const email = anEmail();
      const { body } = await register(clinic.projectId, { email });
      expect(body.emailVerificationRequired).toBe(true);
      expect(saysOf(await begin(body.login, clinic.projectId))).toEqual([400, 'email']);
      const sent = await callAuth('POST', '/auth/verifyemail/send', { body: { login: body.login } });
      expect(sent.status, sent.text).toBe(200);
      const [mailed] = await waitingMail(email);
      const proven = await callAuth('POST', '/auth/verifyemail', { body: toLink(mailed?.params.url) });
      expect(proven.status, proven.text).toBe(200);
      const { code } = (await begin(body.login, clinic.projectId)).body;
      const me = await callAuth('GET', '/auth/me', { token: await enter(code) });
      expect(me.body.profile.telecom).toEqual([{ system: 'email', value: email }]);
    } finally {
      restore();
    }
  });
});

describe('who registers with an address that is not theirs', () => {
  const PERSON = { resourceType: 'Practitioner', firstName: 'Eve', lastName: 'Field', scope: 'project' };

  async function invite(clinic: Owner, body: object) {
    const { access } = await signIn(clinic);
    const path = `/admin/projects/${clinic.projectId}/invite`;
    return callAuth('POST', path, { token: access, body: { ...PERSON, ...body } });
  }

  test('has nothing of what its owner is invited to: that waits for a proof of the address', async () => {
    const clinic = await makeClinic();
    const email = anEmail();
    await register(clinic.projectId, { email });
    const invited = await invite(clinic, { email });
    expect(invited.status, invited.text).toBe(200);
    const fields = { email, password: PASSWORD, projectId: clinic.projectId, ...PKCE };
    const squatter = await callAuth('POST', '/auth/login', { body: fields });
    expect([squatter.status, squatter.body.code]).toEqual([400, undefined]);
  });

  test('nor of what they are made to be as a patient: 409 for a change, and a further membership waits', async () => {
    const clinic = await makeClinic();
    const email = anEmail();
    const { body } = await register(clinic.projectId, { email });
    await begin(body.login, clinic.projectId);
    expect((await invite(clinic, { email, admin: true })).status).toBe(409);
    expect((await invite(clinic, { email, admin: true, upsert: true })).status).toBe(409);
    expect((await invite(clinic, { email, admin: true, forceNewMembership: true })).status).toBe(200);
    const fields = { email, password: PASSWORD, projectId: clinic.projectId, ...PKCE };
    const token = await enter((await callAuth('POST', '/auth/login', { body: fields })).body.code);
    const me = await callAuth('GET', '/auth/me', { token });
    expect([me.body.membership.admin, me.body.profile.resourceType]).toEqual([false, 'Patient']);
  });
});

describe('is refused', () => {
  test('where the project is closed, is none, or has no access for patients', async () => {
    const closed = await makeClinic([]);
    const shut = await makeClinic([{ name: 'patientRegistration', valueBoolean: false }]);
    for (const projectId of [closed.projectId, shut.projectId, newId(), 'x', 'x\ud800']) {
      expect((await register(projectId)).status).toBe(400);
    }
    const clinic = await makeClinic();
    const { body } = await register(clinic.projectId);
    await set(clinic, []);
    expect(saysOf(await begin(body.login, clinic.projectId))).toEqual([400, 'projectId']);
    const wrong = await makeOwner();
    const { access } = await signIn(wrong);
    const path = `/admin/projects/${wrong.projectId}/settings`;
    const text = [{ name: 'patientRegistration', valueString: 'yes' }];
    expect((await callAuth('POST', path, { token: access, body: text })).status).toBe(400);
  });

  test('to a login of another project, of who is a member, or of nobody', async () => {
    const [clinic, other] = await Promise.all([makeClinic(), makeClinic()]);
    const { body } = await register(clinic.projectId);
    expect(saysOf(await begin(body.login, other.projectId))).toEqual([400, 'login']);
    expect(saysOf(await begin(newId(), clinic.projectId))).toEqual([400, 'login']);
    expect(saysOf(await begin('x', 'y'))).toEqual([400, 'login']);
    const fresh = await callAuth('POST', '/auth/login', {
      body: { email: clinic.email, password: PASSWORD, projectId: 'new', ...PKCE },
    });
    expect(saysOf(await begin(fresh.body.login, clinic.projectId))).toEqual([400, 'login']);
    const project = { login: body.login, projectName: 'Mine' };
    expect((await callAuth('POST', '/auth/newproject', { body: project })).status).toBe(400);
  });

  test('to an address that a member has, in the project or above', async () => {
    const clinic = await makeClinic();
    expect(saysOf(await register(clinic.projectId, { email: clinic.email.toUpperCase() }))).toEqual([400, 'email']);
    const email = anEmail();
    expect((await register(clinic.projectId, { email })).status).toBe(200);
    expect(saysOf(await register(clinic.projectId, { email }))).toEqual([400, 'email']);
    // Elsewhere it is another account.
    expect((await register((await makeClinic()).projectId, { email })).status).toBe(200);
  });
});
