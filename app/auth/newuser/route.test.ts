import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { newId } from '#lib/base/ids.ts';
import { hashPassword } from '#lib/infra/crypto/password.ts';
import { credential, userLogin } from '#lib/infra/db/schema/identity.ts';
import { callAuth } from '#lib/testing/call-auth.ts';
import { makeOwner, redeem } from '#lib/testing/people.ts';
import { db } from '#lib/testing/set-up/own-db.ts';

const PERSON = { firstName: 'Bea', lastName: 'Moss', password: 'Orange-Lantern-88' };

function register(fields: Record<string, unknown> = {}, remote?: string) {
  return callAuth('POST', '/auth/newuser', { body: { ...PERSON, email: anEmail(), ...fields }, remote });
}

function anEmail(): string {
  return `${newId().slice(0, 13)}@example.com`;
}

function userOf(email: string) {
  return db().select().from(userLogin).where(eq(userLogin.emailLower, email));
}

function expressions(body: { issue: { expression?: string[] }[] }): unknown[] {
  return body.issue.flatMap(({ expression }) => expression ?? []);
}

describe('200', () => {
  test('a person, then a project of their own, then tokens of its administrator', async () => {
    const email = anEmail();
    const pkce = { codeChallenge: 'p'.repeat(43), codeChallengeMethod: 'plain' };
    const person = await register({ email: email.toUpperCase(), projectId: 'new', ...pkce });
    expect([person.status, person.body]).toEqual([200, { login: expect.any(String) }]);
    const input = { login: person.body.login, projectName: '  Moss Clinic ' };
    const project = await callAuth('POST', '/auth/newproject', { body: input });
    expect([project.status, project.body]).toEqual([200, { login: person.body.login, code: expect.any(String) }]);
    const { body } = await redeem({ code: project.body.code, code_verifier: 'p'.repeat(43) });
    expect(body.project.display).toBe('Moss Clinic');
    const me = await callAuth('GET', '/auth/me', { token: body.access_token });
    expect(me.body).toMatchObject({
      project: { name: 'Moss Clinic', strictMode: true },
      membership: { admin: true },
      profile: { resourceType: 'Practitioner', name: [{ given: ['Bea'], family: 'Moss' }] },
    });
    const [row] = await userOf(email);
    const [kept] = await db().select().from(credential).where(eq(credential.userId, row!.userId));
    // As expensive as every password; what that is in production, its own test says.
    const costOf = (hash: string) => hash.split('$').slice(0, -2);
    expect(costOf(kept?.passwordHash ?? '')).toEqual(costOf(await hashPassword('x')));
  });
});

describe('400', () => {
  test('every missing field at once', async () => {
    const { status, body } = await callAuth('POST', '/auth/newuser', { body: {} });
    expect([status, expressions(body)]).toEqual([400, ['firstName', 'lastName', 'email', 'password']]);
  });

  const wrong: [string, unknown][] = [
    ['firstName', ' '],
    ['lastName', 'x'.repeat(129)],
    ['email', 'no address'],
    ['email', `${'x'.repeat(61)}@example.com`],
    ['password', 'seven77'],
    ['password', 'é'.repeat(73)],
    ['password', 'password123'],
    ['password', '11111111'],
    ['firstName', 'a\u0000b'],
    ['firstName', 'Bea\r\nBcc: x@example.com'],
    ['lastName', 'moc.\u202eelpmaxe'],
    ['lastName', 'two\u2028lines'],
    ['lastName', 'a\udfffb'],
    ['projectId', newId()],
    ['clientId', newId()],
    ['scope', 'a"b'],
    ['codeChallenge', 'x'.repeat(42)],
  ];
  test.each(wrong)('%s %j makes nobody', async (field, value) => {
    const email = field === 'email' ? String(value) : anEmail();
    const { status, body } = await register({ email, [field]: value });
    expect([status, expressions(body)]).toEqual([400, [field]]);
    expect(await userOf(email)).toEqual([]);
  });

  test('an address that is taken, in any case, says so only by where to go', async () => {
    const { email } = await makeOwner();
    const { status, body } = await register({ email: email.toUpperCase() });
    expect([status, expressions(body)]).toEqual([400, ['email']]);
    expect(body.issue[0].details.text).toMatch(/sign in or reset/);
  });

  test('of ten registrations of one address at the same moment one wins', async () => {
    const email = anEmail();
    const answers = await Promise.all(Array.from({ length: 10 }, () => register({ email })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(400)]);
    expect(await userOf(email)).toHaveLength(1);
  });
});

test('429 for the sixty-first from one place; no password is hashed for it', async () => {
  const remote = '10.201.0.1';
  const weak = () => register({ email: anEmail(), password: 'Orange-Lantern-88', projectId: 'new' }, remote);
  const { throttle } = await import('#lib/domain/limits/throttle.ts');
  for (let round = 0; round < 60; round++) await throttle(`register-from:${remote}`, 60);
  const { status, headers } = await weak();
  expect([status, Number(headers.get('retry-after')) > 0]).toEqual([429, true]);
});
