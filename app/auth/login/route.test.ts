import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { newId } from '#lib/base/ids.ts';
import { db } from '#lib/infra/db/client.ts';
import { credential, login } from '#lib/infra/db/schema/identity.ts';
import { auditEvent } from '#lib/infra/db/schema/operations.ts';
import { callAuth } from '#lib/testing/call-auth.ts';
import { hashCosts } from '#lib/testing/hash-costs.ts';
import {
  addProject,
  changeMember,
  makeClient,
  makeOwner,
  makePerson,
  type Owner,
  PASSWORD,
} from '#lib/testing/people.ts';

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

  test('projectId `new` needs no membership', async () => {
    const { email } = await makePerson();
    expect((await signIn({ email, projectId: 'new' })).body).toEqual({ login: expect.any(String) });
  });

  test('a sign-in is audited with its address, without the password', async () => {
    const { body } = await signIn({ email: owner.email }, { remote: '10.99.0.1' });
    const [row] = await db().select().from(login).where(eq(login.id, body.login));
    const events = await db().select().from(auditEvent).where(eq(auditEvent.remoteAddress, '10.99.0.1'));
    expect(row).toMatchObject({ authMethod: 'password', granted: false, remoteAddress: '10.99.0.1' });
    expect(events).toMatchObject([{ action: 'login.password', target: `User/${owner.userId}` }]);
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
  test('the eleventh try for one address within 15 minutes, from wherever, known or not, right password or not', async () => {
    const known = await makeOwner();
    for (const email of [known.email, `${newId()}@example.com`]) {
      const tries = await Promise.all(
        Array.from({ length: 10 }, () => signIn({ email, password: 'Wrong-Hammock-41' })),
      );
      expect(new Set(tries.map(({ status }) => status))).toEqual(new Set([400]));
      const { status, headers, body } = await signIn({ email });
      expect(status).toBe(429);
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(800);
      expect(body).toMatchObject({ id: 'too-many-requests', issue: [{ code: 'throttled' }] });
    }
  });

  test('a success forgives what was before', async () => {
    const { email } = await makeOwner();
    for (let round = 0; round < 2; round++) {
      await Promise.all(Array.from({ length: 6 }, () => signIn({ email, password: 'Wrong-Hammock-41' })));
      expect((await signIn({ email })).status).toBe(200);
    }
  }, 60_000);
});
