import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { env } from '#lib/base/env.ts';
import { newId } from '#lib/base/ids.ts';
import { credential } from '#lib/infra/db/schema/identity.ts';
import { login } from '#lib/infra/db/schema/login.ts';
import { auditEvent } from '#lib/infra/db/schema/operations.ts';
import { auditOf } from '#lib/testing/accounts.ts';
import { type Answer, expectOutcome } from '#lib/testing/call-api.ts';
import { callAuth } from '#lib/testing/call-auth.ts';
import { addPasskey, offered } from '#lib/testing/devices/passkeys.ts';
import { enrollTotp } from '#lib/testing/factors.ts';
import { makeClient, makeOwner, type Owner, PASSWORD, redeem, signIn } from '#lib/testing/people.ts';
import { expectScimError, makeDirectory, patchOp } from '#lib/testing/scim.ts';
import { db } from '#lib/testing/set-up/own-db.ts';
import { anEmail, createWorld, invitation, signIn as signInMember, type World } from '#lib/testing/world.ts';

/** Everybody of the project has signed in, and shown a factor, longer ago than a proof is good for. */
async function age(projectId: string, minutes = 11): Promise<void> {
  const at = new Date(Date.now() - minutes * 60_000);
  await db().update(login).set({ authTime: at, factorAt: null, provenAt: null }).where(eq(login.projectId, projectId));
}

const prove = (token: string, body: object) => callAuth('POST', '/auth/proof', { token, body });

function expectUnproven(answer: Answer): void {
  expectOutcome(answer, 403);
  expect(answer.body.issue[0].details.coding).toEqual([
    { system: 'urn:gatehouse:refusal', code: 'insufficient_user_authentication' },
  ]);
  expect(answer.headers.get('www-authenticate')).toBe(
    `Bearer realm="${env().BASE_URL}", error="insufficient_user_authentication", error_description="${answer.body.issue[0].details.text}", max_age="600"`,
  );
}

const JSON_PATCH = { 'content-type': 'application/json-patch+json' };

/** Of the world's project, as an administrator: what is hard to take back. */
const ACTS: [string, (world: World) => Promise<() => Promise<Answer>>][] = [
  [
    'invites an administrator',
    async (world) => () => world.call('POST', '/invite', { body: invitation({ admin: true }) }),
  ],
  [
    'invites many, an administrator among them',
    async (world) => () =>
      world.call('POST', '/invite/batch', {
        body: [invitation(), invitation({ membership: { admin: true } })],
      }),
  ],
  [
    'promotes',
    async (world) => {
      const { id } = await world.invite();
      const body = [{ op: 'add', path: '/admin', value: true }];
      return () => world.call('PATCH', `/members/${id}`, { body, headers: JSON_PATCH });
    },
  ],
  [
    'demotes',
    async (world) => {
      const { id } = await world.invite({ admin: true });
      const body = [{ op: 'remove', path: '/admin' }];
      return () => world.call('PATCH', `/members/${id}`, { body, headers: JSON_PATCH });
    },
  ],
  [
    'deactivates an administrator',
    async (world) => {
      const { id } = await world.invite({ admin: true });
      const body = [{ op: 'add', path: '/active', value: false }];
      return () => world.call('PATCH', `/members/${id}`, { body, headers: JSON_PATCH });
    },
  ],
  [
    'removes an administrator',
    async (world) => {
      const { id } = await world.invite({ admin: true });
      return () => world.call('DELETE', `/members/${id}`);
    },
  ],
  [
    'promotes many',
    async (world) => {
      const { id } = await world.invite();
      return () => world.call('POST', '/jobs', { body: { kind: 'promote', members: [id] } });
    },
  ],
  [
    'removes many, an administrator among them',
    async (world) => {
      const [one, other] = [await world.invite(), await world.invite({ admin: true })];
      return () => world.call('POST', '/jobs', { body: { kind: 'remove', members: [one.id, other.id] } });
    },
  ],
  ['makes a client', async (world) => () => world.call('POST', '/client', { body: { name: 'Program' } })],
  [
    'rotates a secret',
    async (world) => {
      const { id } = await makeClient(world.projectId);
      return () => callAuth('POST', `/fhir/R4/ClientApplication/${id}/$rotate-secret`, { headers: as(world) });
    },
  ],
  [
    'changes by which keys a program shows itself',
    async (world) => {
      const client = await makeClient(world.projectId);
      const body = [{ op: 'add', path: '/jwksUri', value: 'https://keys.example.com/jwks' }];
      return () =>
        callAuth('PATCH', `/fhir/R4/ClientApplication/${client.id}`, {
          headers: { ...as(world), ...JSON_PATCH },
          body,
        });
    },
  ],
  [
    'gives a client another secret',
    async (world) => {
      const { id } = await makeClient(world.projectId);
      return () => world.call('POST', `/clients/${id}/secrets`, { body: { name: 'Night job' } });
    },
  ],
  [
    'makes a key of their own',
    async (world) => {
      await world.call('POST', '/settings', { body: [{ name: 'apiKeys', valueBoolean: true }] });
      const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
      const body = { name: 'Script', scope: 'user/Patient.rs', expiresAt };
      return () => callAuth('POST', '/auth/keys', { headers: as(world), body });
    },
  ],
  [
    'lets a group of a directory make administrators',
    async (world) => {
      const { body } = await world.call('POST', '/scim', { body: { name: 'Okta' } });
      const group = await makeDirectory(`Bearer ${body.token}`)('POST', '/Groups', {
        displayName: 'Leads',
        members: [],
      });
      return () => world.call('PUT', `/scim/${body.id}/groups/${group.body.id}`, { body: { admin: true } });
    },
  ],
  [
    'opens the project to more ways in',
    async (world) => () =>
      world.call('POST', '/settings', { body: [{ name: 'signInWays.Patient', valueString: 'password, link' }] }),
  ],
  [
    'takes the second factor off, over FHIR',
    async (world) => {
      await world.call('POST', '/settings', { body: [{ name: 'mfaRequired', valueString: 'none' }] });
      const path = `/fhir/R4/Project/${world.projectId}`;
      const body = [{ op: 'remove', path: '/setting' }];
      return () => callAuth('PATCH', path, { headers: { ...as(world), ...JSON_PATCH }, body });
    },
  ],
  ['sets a secret', async (world) => () => world.call('PUT', '/secrets/key', { body: { valueString: 'x' } })],
  ['replaces the secrets', async (world) => () => world.call('POST', '/secrets', { body: [] })],
  ['looks at the secrets', async (world) => () => world.call('GET', '?reveal=true')],
  ['connects a directory', async (world) => () => world.call('POST', '/scim', { body: { name: 'Okta' } })],
  [
    'makes a token for a directory',
    async (world) => {
      const made = await world.call('POST', '/scim', { body: { name: 'Okta' } });
      return () => world.call('POST', `/scim/${made.body.id}/tokens`, { body: {} });
    },
  ],
  [
    'sets a password',
    async (world) => {
      const email = anEmail();
      await world.invite({ email, scope: 'project' });
      const body = { email, password: 'Amber-Lighthouse-77' };
      return () => callAuth('POST', '/admin/projects/setpassword', { headers: as(world), body });
    },
  ],
  [
    'changes the address of somebody',
    async (world) => {
      const { user } = await world.invite({ scope: 'project' });
      const body = { email: anEmail() };
      return () => callAuth('POST', `/fhir/R4/${user.reference}/$update-email`, { headers: as(world), body });
    },
  ],
  [
    'sends the invitation of an administrator to another address',
    async (world) => {
      const { id } = await world.invite({ admin: true });
      return () => world.call('POST', `/members/${id}/invite/address`, { body: { email: anEmail() } });
    },
  ],
  [
    'takes the link of an administrator’s invitation',
    async (world) => {
      await world.invite({ admin: true });
      const { linkId } = (await world.call('GET', '/invites')).body.rows[0];
      return () => world.call('POST', `/invites/${linkId}/link`);
    },
  ],
];

const as = (world: World) => ({ authorization: world.owner.bearer });

describe('who signed in more than ten minutes ago is asked again before what is hard to take back', () => {
  test.each(ACTS)('%s', async (_, prepare) => {
    const world = await createWorld();
    const act = await prepare(world);
    await age(world.projectId);
    expectUnproven(await act());
    await db().update(login).set({ provenAt: new Date() }).where(eq(login.projectId, world.projectId));
    expect((await act()).status).toBeLessThan(300);
  });

  test('changes the address of somebody as a directory does, with their own session', async () => {
    const world = await createWorld();
    const { id, user } = await world.invite({ scope: 'project' });
    await age(world.projectId);
    const email = anEmail();
    const patch = patchOp({ op: 'replace', path: 'emails[type eq "work"].value', value: email });
    const act = () => makeDirectory(world.owner.bearer)('PATCH', `/Users/${id}`, patch);
    expectScimError(await act(), 403);
    await db().update(login).set({ provenAt: new Date() }).where(eq(login.projectId, world.projectId));
    expect((await act()).status).toBe(200);
    const { body } = await callAuth('GET', `/fhir/R4/${user.reference}`, { headers: as(world) });
    expect(body.email).toBe(email);
  });

  test('a program is not: it shows itself with each request', async () => {
    const world = await createWorld();
    const client = await makeClient(world.projectId, {}, { admin: true });
    await age(world.projectId);
    const made = await world.call('POST', '/invite', { body: invitation({ admin: true }), bearer: client.basic });
    expect(made.status).toBe(200);
    const form = { grant_type: 'client_credentials', client_id: client.id, client_secret: client.secret };
    const { body } = await callAuth('POST', '/oauth2/token', { body: new URLSearchParams(form) });
    await age(world.projectId);
    const bearer = `Bearer ${body.access_token}`;
    expect((await world.call('POST', '/invite', { body: invitation({ admin: true }), bearer })).status).toBe(200);
  });

  test('nor is the everyday: inviting, changing a name, ending sessions, taking a token back', async () => {
    const world = await createWorld();
    const connection = (await world.call('POST', '/scim', { body: { name: 'Okta' } })).body;
    await age(world.projectId);
    const { id } = await world.invite();
    const body = [{ op: 'add', path: '/userName', value: 'ann' }];
    expect((await world.call('PATCH', `/members/${id}`, { body, headers: JSON_PATCH })).status).toBe(200);
    expect((await world.call('DELETE', `/members/${id}/sessions`)).status).toBe(200);
    expect((await world.call('DELETE', `/scim/${connection.id}/tokens/${connection.tokenId}`)).status).toBe(200);
    expect((await world.call('DELETE', `/members/${id}`)).status).toBe(200);
    const settings = [{ name: 'theme', valueString: 'dark' }];
    expect((await world.call('POST', '/settings', { body: settings })).status).toBe(200);
  });

  test('what was asked for with a proof goes on when the proof is old, in a job', async () => {
    const world = await createWorld();
    const { id } = await world.invite();
    const { body } = await world.call('POST', '/jobs', { body: { kind: 'promote', members: [id] } });
    await age(world.projectId);
    const { actorOfJob } = await import('#lib/http/server/bulk-worker.ts');
    const { runBulkJob } = await import('#lib/domain/bulk-jobs/run-bulk-job.ts');
    await runBulkJob(world.projectId, body.id, actorOfJob, new AbortController().signal);
    const job = await world.call('GET', `/jobs/${body.id}`);
    expect(job.body).toMatchObject({ state: 'done', failed: 0 });
  });

  test('a session of somebody else, or one made of this one, is no proof', async () => {
    const owner = await makeOwner();
    const [old] = [await signIn(owner)];
    await age(owner.projectId);
    await signIn(owner);
    const invite = (token: string) =>
      callAuth('POST', `/admin/projects/${owner.projectId}/invite`, { token, body: invitation({ admin: true }) });
    expectUnproven(await invite(old.access));
    const verifier = 'v'.repeat(43);
    const body = { membership: owner.membershipId, codeChallenge: verifier, codeChallengeMethod: 'plain' };
    const switched = await callAuth('POST', '/auth/switch', { token: old.access, body });
    const { body: tokens } = await redeem({ code: switched.body.code, code_verifier: verifier });
    expectUnproven(await invite(tokens.access_token));
  });
});

describe('POST /auth/proof', () => {
  async function oldSession(owner: Owner): Promise<string> {
    const { access } = await signIn(owner);
    await age(owner.projectId);
    return access;
  }

  test('by password, for this session alone, for ten minutes; audited', async () => {
    const owner = await makeOwner();
    const [token, other] = [await oldSession(owner), await oldSession(owner)];
    const before = await callAuth('GET', '/auth/proof', { token });
    expect(before.body.methods).toEqual(['password']);
    expect(Date.parse(before.body.goodUntil)).toBeLessThan(Date.now());
    const { status, body } = await prove(token, { password: PASSWORD });
    expect([status, body.methods]).toEqual([200, ['password']]);
    expect(Date.parse(body.goodUntil) - Date.parse(body.provenAt)).toBe(600_000);
    expect((await callAuth('GET', '/auth/proof', { token })).body.goodUntil).toBe(body.goodUntil);
    expect(Date.parse((await callAuth('GET', '/auth/proof', { token: other })).body.goodUntil)).toBeLessThan(
      Date.now(),
    );
    expect((await auditOf(owner.projectId, `User/${owner.userId}`))[0]).toBe('login.prove');
    const rows = await db().select().from(auditEvent).where(eq(auditEvent.projectId, owner.projectId));
    expect(JSON.stringify(rows)).not.toContain(PASSWORD);
  });

  test('by an authenticator’s code, once; by a recovery code, once', async () => {
    const owner = await makeOwner();
    const { access: token, app, recoveryCodes } = await enrollTotp(owner);
    await age(owner.projectId);
    const code = app.next();
    expect((await prove(token, { token: code })).status).toBe(200);
    expectOutcome(await prove(token, { token: code }), 400);
    expect((await prove(token, { token: recoveryCodes[0] })).status).toBe(200);
    expectOutcome(await prove(token, { token: recoveryCodes[0] }), 400);
    expect((await callAuth('GET', '/auth/proof', { token })).body.methods).toEqual(['password', 'totp']);
  });

  test('by one’s own passkey, and nobody else’s', async () => {
    const [owner, stranger] = [await makeOwner(), await makeOwner()];
    const { key } = await addPasskey(owner);
    const theirs = await addPasskey(stranger);
    const token = await oldSession(owner);
    const wrong = await prove(token, { response: theirs.key.get(await offered()) });
    expect([wrong.status, wrong.body.issue[0].expression]).toEqual([400, ['response']]);
    const response = key.get(await offered());
    expect((await prove(token, { response })).status).toBe(200);
    expectOutcome(await prove(token, { response }), 400);
    await db().delete(credential).where(eq(credential.userId, owner.userId));
    expect((await callAuth('GET', '/auth/proof', { token })).body.methods).toEqual(['passkey']);
  });

  test('400 for what is wrong, with its name; ten tries, fifty at once too, then 429', async () => {
    const owner = await makeOwner();
    const token = await oldSession(owner);
    for (const body of [{}, { password: 'x', token: '1' }, { password: 7 }, { token: '' }, { response: {} }, [], 'x']) {
      expectOutcome(await prove(token, body as object), 400);
    }
    expectOutcome(await prove(token, { password: 'a\u0000b' }), 400);
    expectOutcome(await prove(token, { token: '\ud800' }), 400);
    const tries = Array.from({ length: 50 }, () => prove(token, { password: 'Wrong-Hammock-41' }));
    const statuses = (await Promise.all(tries)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 400).length).toBeLessThanOrEqual(10);
    expect(new Set(statuses)).toEqual(new Set([400, 429]));
    expectOutcome(await prove(token, { password: PASSWORD }), 429);
  });

  test('403 for apps, programs and administrators in their place; 401 for nobody', async () => {
    const owner = await makeOwner();
    const client = await makeClient(owner.projectId, {}, { admin: true });
    const { access: app } = await signIn(owner, { clientId: client.id });
    const basic = { authorization: client.basic };
    const inPlace = { ...basic, 'x-medplum-on-behalf-of': `ProjectMembership/${owner.membershipId}` };
    for (const caller of [{ token: app }, { headers: basic }, { headers: inPlace }]) {
      expectOutcome(await callAuth('GET', '/auth/proof', caller), 403);
      expectOutcome(await callAuth('POST', '/auth/proof', { ...caller, body: { password: PASSWORD } }), 403);
    }
    expectOutcome(await callAuth('POST', '/auth/proof', { body: { password: PASSWORD } }), 401);
  });
});

test('one’s own factors and passkeys are changed with a proof', async () => {
  const owner = await makeOwner();
  const { browser, passkey } = await addPasskey(owner);
  await age(owner.projectId);
  expectUnproven(await browser.send('DELETE', `/auth/passkeys/${passkey.id}`));
  expectUnproven(await browser.send('POST', '/auth/mfa/enroll', { token: '123456' }));
  await browser.send('POST', '/auth/proof', { password: PASSWORD });
  expect((await browser.send('DELETE', `/auth/passkeys/${passkey.id}`)).status).toBe(200);
});

test('an administrator resets a lost factor with a proof', async () => {
  const world = await createWorld();
  const { id, user } = await world.invite();
  await signInMember(world.projectId, id, user.reference);
  await age(world.projectId);
  expectUnproven(await world.call('POST', `/members/${id}/mfa/reset`, { body: {} }));
  expectOutcome(await world.call('POST', `/members/${newId()}/mfa/reset`, { body: {} }), 403);
});
