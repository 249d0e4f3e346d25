import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { newId } from '#lib/base/ids.ts';
import { networkOf } from '#lib/domain/limits/network-of.ts';
import { hashSecret } from '#lib/infra/crypto/secret.ts';
import { credential, rateCounter } from '#lib/infra/db/schema/identity.ts';
import { login } from '#lib/infra/db/schema/login.ts';
import { auditEvent } from '#lib/infra/db/schema/operations.ts';
import { callAuth } from '#lib/testing/call-auth.ts';
import { toLink, waitingMail } from '#lib/testing/links.ts';
import {
  addProject,
  changeMember,
  makeClient,
  makeOwner,
  makePerson,
  type Owner,
  PASSWORD,
} from '#lib/testing/people.ts';
import { db } from '#lib/testing/set-up/own-db.ts';
import { hashCosts } from '#lib/testing/sign-in/hash-costs.ts';

const CHALLENGE = { codeChallenge: 'c'.repeat(43), codeChallengeMethod: 'S256' };
let owner: Owner;

beforeAll(async () => {
  owner = await makeOwner();
});

function signIn(fields: Record<string, unknown>, call: { remote?: string; headers?: Record<string, string> } = {}) {
  return callAuth('POST', '/auth/login', { body: { password: PASSWORD, ...CHALLENGE, ...fields }, ...call });
}

const WRONG = 'Email or password is invalid';
const CODE = { login: expect.any(String), code: expect.any(String) };

describe('200', () => {
  test('one membership gives a code at once; the address matches in any case', async () => {
    const { status, body } = await signIn({ email: ` ${owner.email.toUpperCase()} ` });
    expect(status).toBe(200);
    expect(body).toEqual(CODE);
  });

  test('several memberships give a choice, and a project, a client or a profile type narrows it', async () => {
    const person = await makeOwner();
    const second = await addProject(person.userId, person.email);
    const both = await signIn({ email: person.email });
    expect(both.body).toEqual({
      login: expect.any(String),
      memberships: [person, second].map(({ projectId, membershipId }) => ({
        id: membershipId,
        project: { reference: `Project/${projectId}`, display: 'Stone Clinic' },
        profile: { reference: expect.stringMatching(/^Practitioner\//), display: 'Ada Stone' },
      })),
    });
    const client = await makeClient(second.projectId);
    expect((await signIn({ email: person.email, projectId: second.projectId })).body).toEqual(CODE);
    expect((await signIn({ email: person.email, clientId: client.id })).body).toEqual(CODE);
    expect((await signIn({ email: person.email, resourceType: 'Practitioner' })).body.memberships).toHaveLength(2);
    expect((await signIn({ email: person.email, resourceType: 'Patient' })).status).toBe(400);
    expect((await signIn({ email: person.email, resourceType: '%' })).status).toBe(400);
    await changeMember(second, { active: false });
    expect((await signIn({ email: person.email })).body).toEqual(CODE);
  });

  test('a password that is years old is as good as a new one', async () => {
    const person = await makeOwner();
    const updatedAt = new Date('2001-01-01');
    await db().update(credential).set({ updatedAt }).where(eq(credential.userId, person.userId));
    expect((await signIn({ email: person.email })).body).toEqual(CODE);
  });

  test('projectId `new` needs no membership', async () => {
    const { email } = await makePerson();
    expect((await signIn({ email, projectId: 'new' })).body).toEqual({ login: expect.any(String) });
  });

  test('a sign-in is audited with its address, without the password', async () => {
    const person = await makeOwner();
    const { body } = await signIn({ email: person.email }, { remote: '10.99.0.1' });
    const [row] = await db().select().from(login).where(eq(login.id, body.login));
    const events = await db().select().from(auditEvent).where(eq(auditEvent.remoteAddress, '10.99.0.1'));
    expect(row).toMatchObject({ authMethod: 'password', granted: false, remoteAddress: '10.99.0.1' });
    expect(events).toMatchObject([{ action: 'login.password', target: `User/${person.userId}` }]);
    expect(JSON.stringify([row, events])).not.toContain(PASSWORD);
    expect(JSON.stringify([row, events])).not.toContain(body.code);
  });
});

describe('400', () => {
  test('one text for an unknown address, a wrong password and a person without one', async () => {
    const answers = [
      await signIn({ email: `${newId()}@example.com` }),
      await signIn({ email: owner.email, password: 'Wrong-Hammock-41' }),
      await signIn({ email: owner.email, password: 'short' }),
      await signIn({ email: owner.email, password: '' }),
      await signIn({ email: owner.email, password: 'x'.repeat(1024) }),
    ];
    for (const { status, body } of answers) {
      expect(status).toBe(400);
      expect(body.issue).toEqual([{ severity: 'error', code: 'invalid', details: { text: WRONG } }]);
    }
  });

  test('the same work for an unknown address, a wrong password and a person without one: a hash of one cost', async () => {
    const work = (email: string) => hashCosts(() => signIn({ email, password: 'Wrong-Hammock-41' }));
    const withoutOne = async () => {
      const { email, userId } = await makeOwner();
      await db().delete(credential).where(eq(credential.userId, userId));
      return email;
    };
    // The first of all makes what an unknown person's password is compared with.
    await work(`${newId()}@example.com`);
    const known = await work(owner.email);
    expect(known).toHaveLength(1);
    expect(await work(`${newId()}@example.com`)).toEqual(known);
    expect(await work(await withoutOne())).toEqual(known);
  });

  test('every wrong field at once, each named', async () => {
    const { status, body } = await callAuth('POST', '/auth/login', {
      body: { email: 'no address', codeChallenge: 'short', codeChallengeMethod: 'none', scope: 'a"b', remember: 'yes' },
    });
    expect(status).toBe(400);
    expect(body.issue.flatMap((issue: { expression: string[] }) => issue.expression).sort()).toEqual([
      'codeChallenge',
      'codeChallengeMethod',
      'email',
      'password',
      'remember',
      'scope',
    ]);
  });

  test('no body, an array, text that is no JSON, a key that stands twice, __proto__', async () => {
    const json = { 'content-type': 'application/json' };
    for (const body of [
      undefined,
      '[]',
      '{',
      '{"email":"a@b.de","email":"c@d.de"}',
      '{"__proto__":{"email":"a@b.de"}}',
    ]) {
      const answer = await callAuth('POST', '/auth/login', { body, headers: json });
      expect(answer.status).toBe(400);
      expect(answer.body.resourceType).toBe('OperationOutcome');
    }
  });

  test('characters that no database keeps are refused wherever they stand', async () => {
    for (const field of [
      'email',
      'password',
      'projectId',
      'clientId',
      'scope',
      'nonce',
      'resourceType',
      'redirectUri',
    ]) {
      for (const bad of ['a\u0000b', 'a\ud800b']) {
        const { status, body } = await signIn({ email: owner.email, [field]: bad });
        expect([field, status]).toEqual([field, 400]);
        expect(body.issue[0].expression).toEqual([field]);
      }
    }
  });

  test('a person without an active membership, or none in the project that was named', async () => {
    const other = await makeOwner();
    expect((await signIn({ email: owner.email, projectId: other.projectId })).status).toBe(400);
    expect((await signIn({ email: owner.email, projectId: newId() })).status).toBe(400);
    expect((await signIn({ email: owner.email, projectId: 'not-an-id' })).status).toBe(400);
    await changeMember(other, { active: false });
    expect((await signIn({ email: other.email })).status).toBe(400);
  });

  test('a project that is not the client’s', async () => {
    const client = await makeClient(owner.projectId);
    const { status, body } = await signIn({ email: owner.email, clientId: client.id, projectId: newId() });
    expect([status, body.issue[0].expression]).toEqual([400, ['projectId']]);
  });

  test('an origin that the client does not allow', async () => {
    const client = await makeClient(owner.projectId, { allowedOrigin: ['https://app.example.com'] });
    const from = (origin: string) => signIn({ email: owner.email, clientId: client.id }, { headers: { origin } });
    expect((await from('https://evil.example.com')).status).toBe(400);
    expect((await from('https://app.example.com')).status).toBe(200);
    expect((await signIn({ email: owner.email, clientId: client.id })).status).toBe(200);
  });
});

test('404 for a client that is unknown', async () => {
  for (const clientId of [newId(), 'nobody']) {
    expect((await signIn({ email: owner.email, clientId })).status).toBe(404);
  }
});

describe('429', () => {
  const guess = (fields: Record<string, unknown>, call?: { remote?: string; headers?: Record<string, string> }) =>
    signIn({ password: 'Wrong-Hammock-41', ...fields }, call);
  const lock = (email: string) => Promise.all(Array.from({ length: 10 }, () => guess({ email, projectId: newId() })));
  const cookieOf = ({ headers }: { headers: Headers }) => headers.get('set-cookie')?.split(';')[0] ?? '';

  test('the eleventh try for one address within 15 minutes, from wherever, known or not, whatever else the request says', async () => {
    const known = await makeOwner();
    for (const email of [known.email, `${newId()}@example.com`]) {
      const fields = [{ projectId: known.projectId }, { projectId: 'new' }, { email: ` ${email.toUpperCase()} ` }];
      const tries = await Promise.all([...fields.map((each) => guess({ email, ...each })), lock(email)]);
      expect(tries.flat().filter(({ status }) => status === 400)).toHaveLength(10);
      expect((await guess({ email })).status).toBe(429);
      expect((await guess({ email: email.toUpperCase(), projectId: newId() })).status).toBe(429);
    }
  });

  test('a locked account does not tell right from wrong: one answer for both, and for an address that nobody has', async () => {
    const known = await makeOwner();
    const stranger = `${newId()}@example.com`;
    await Promise.all([lock(known.email), lock(stranger)]);
    const answers = [await signIn({ email: known.email }), await guess({ email: known.email })];
    answers.push(await signIn({ email: stranger }), await signIn({ email: known.email, projectId: known.projectId }));
    for (const { status, headers, body } of answers) {
      expect(status).toBe(429);
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(800);
      expect(body).toMatchObject({ id: 'too-many-requests', issue: [{ code: 'throttled' }] });
      expect(headers.get('set-cookie')).toBeNull();
    }
  });

  test('strangers who guess do not keep the owner out: a browser that has signed in is known, to that account alone', async () => {
    const [ada, bob] = [await makeOwner(), await makeOwner()];
    const first = await signIn({ email: ada.email });
    expect(first.headers.get('set-cookie')).toMatch(/; HttpOnly; SameSite=Lax/);
    const shared = cookieOf(await signIn({ email: bob.email }, { headers: { cookie: cookieOf(first) } }));
    const bobs = cookieOf(await signIn({ email: bob.email }));
    await Promise.all([lock(ada.email), lock(bob.email)]);
    const withCookie = async (email: string, cookie: string) =>
      (await signIn({ email }, { headers: { cookie } })).status;
    expect(await withCookie(ada.email, cookieOf(first))).toBe(200);
    expect([await withCookie(ada.email, shared), await withCookie(bob.email, shared)]).toEqual([200, 200]);
    for (const forged of [bobs, `${cookieOf(first)}x`, bobs.replace(bob.userId, ada.userId)]) {
      expect(await withCookie(ada.email, forged)).toBe(429);
    }
  });

  test('a known device has ten wrong tries of its own', async () => {
    const { email } = await makeOwner();
    const cookie = cookieOf(await signIn({ email }));
    const tries = await Promise.all(Array.from({ length: 11 }, () => guess({ email }, { headers: { cookie } })));
    expect(tries.filter(({ status }) => status === 429)).toHaveLength(1);
    expect((await signIn({ email }, { headers: { cookie } })).status).toBe(429);
    expect((await signIn({ email })).status).toBe(200);
  });

  test('a mailed link lets the owner in while strangers guess, with and without cookies', async () => {
    const { email } = await makeOwner();
    await lock(email);
    await callAuth('POST', '/auth/resetpassword', { body: { email } });
    const [mail] = await waitingMail(email);
    const password = 'Orange-Lantern-88';
    const set = await callAuth('POST', '/auth/setpassword', { body: { ...toLink(mail?.params.url), password } });
    expect((await signIn({ email, password })).status).toBe(200);
    await lock(email);
    expect((await signIn({ email, password }, { headers: { cookie: cookieOf(set) } })).status).toBe(200);
  });

  test('a hundred wrong tries a day, however patient', async () => {
    const { email } = await makeOwner();
    const key = (name: string) => eq(rateCounter.key, hashSecret(`${name}:${email}`));
    await guess({ email });
    await db().update(rateCounter).set({ count: 100 }).where(key('login-today'));
    await db().delete(rateCounter).where(key('login'));
    const { status, headers } = await signIn({ email });
    expect([status, Number(headers.get('retry-after')) > 80_000]).toEqual([429, true]);
  });

  test('two hundred wrong tries from one network; successes do not count, so a whole hospital can stand behind one address', async () => {
    const { email } = await makeOwner();
    const remote = (host: string) => ({
      remote: `2001:db8:${Number.parseInt(owner.userId.slice(0, 4), 16).toString(16)}:1::${host}`,
    });
    await guess({ email: `${newId()}@example.com` }, remote('1'));
    const network = eq(rateCounter.key, hashSecret(`login-from:${networkOf(remote('1').remote)}`));
    await db().update(rateCounter).set({ count: 199 }).where(network);
    for (const host of ['2', '3', '4']) expect((await signIn({ email }, remote(host))).status).toBe(200);
    expect((await guess({ email }, remote('5'))).status).toBe(400);
    expect((await signIn({ email }, remote('6'))).status).toBe(429);
    // Whom it refuses counts nowhere else.
    await Promise.all(Array.from({ length: 12 }, () => guess({ email }, remote('7'))));
    expect((await signIn({ email })).status).toBe(200);
  });

  test('a success forgives what was before', async () => {
    const { email } = await makeOwner();
    for (let round = 0; round < 2; round++) {
      await Promise.all(Array.from({ length: 6 }, () => guess({ email })));
      expect((await signIn({ email })).status).toBe(200);
    }
  });
});
