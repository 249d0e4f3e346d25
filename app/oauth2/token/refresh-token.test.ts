import { eq } from 'drizzle-orm';
import { decodeJwt } from 'jose';
import { beforeAll, describe, expect, test } from 'vitest';
import { newId } from '#lib/base/ids.ts';
import { signingKeys } from '#lib/domain/signing/signing-keys.ts';
import { toJws } from '#lib/domain/signing/to-jws.ts';
import { login } from '#lib/infra/db/schema/login.ts';
import { callAuth } from '#lib/testing/call-auth.ts';
import {
  changeMember,
  makeClient,
  makeOwner,
  type Owner,
  redeem,
  refresh,
  signIn,
  startSession,
  toBasic,
} from '#lib/testing/people.ts';
import { db } from '#lib/testing/set-up/own-db.ts';

let owner: Owner;

beforeAll(async () => {
  owner = await makeOwner();
});

function session(fields = {}) {
  return signIn(owner, { scope: 'openid offline email', ...fields });
}

function secretOf(token: string): unknown {
  return decodeJwt(token).refresh_secret;
}

async function age(loginId: string, ms: number): Promise<void> {
  await db()
    .update(login)
    .set({ refreshRotatedAt: new Date(Date.now() - ms) })
    .where(eq(login.id, loginId));
}

const STALE = { error: 'invalid_grant', error_description: 'Invalid token' };

describe('200', () => {
  test('a refresh token gives a new pair of the same login, and the old access token goes on', async () => {
    const { login: id, tokens, access } = await session();
    const { status, body } = await refresh(tokens.refresh_token);
    expect(status).toBe(200);
    expect(decodeJwt(body.access_token)).toMatchObject({ login_id: id, sub: owner.userId });
    expect(decodeJwt(body.id_token)).toMatchObject({ email: owner.email });
    expect(secretOf(body.refresh_token)).not.toBe(secretOf(tokens.refresh_token));
    for (const token of [access, body.access_token]) {
      expect((await callAuth('GET', '/auth/me', { token })).status).toBe(200);
    }
  });

  test('within a minute the secret before gives the same successor: a second tab stays signed in', async () => {
    const { login: id, tokens } = await session();
    const first = await refresh(tokens.refresh_token);
    await age(id, 59_000);
    const second = await refresh(tokens.refresh_token);
    expect(second.status).toBe(200);
    expect(secretOf(second.body.refresh_token)).toBe(secretOf(first.body.refresh_token));
    expect((await refresh(first.body.refresh_token)).status).toBe(200);
  });

  test('ten tabs at the same moment all get the one successor', async () => {
    const { tokens } = await session();
    const answers = await Promise.all(Array.from({ length: 10 }, () => refresh(tokens.refresh_token)));
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect(new Set(answers.map(({ body }) => secretOf(body.refresh_token))).size).toBe(1);
  });

  test('tokens of the release before, which name no project, go on', async () => {
    const { tokens, access } = await session();
    const [key] = await signingKeys();
    const withoutProject = (token: string) => {
      const { project, ...claims } = decodeJwt(token);
      expect(project).toBe(owner.projectId);
      return toJws(key, claims);
    };
    expect((await callAuth('GET', '/auth/me', { token: withoutProject(access) })).status).toBe(200);
    expect((await refresh(withoutProject(tokens.refresh_token))).status).toBe(200);
  });

  test('the client’s id, empty as the peer’s client sends it without one, or its credentials', async () => {
    expect((await refresh((await session()).tokens.refresh_token, { client_id: '' })).status).toBe(200);
    const client = await makeClient(owner.projectId);
    const { tokens } = await session({ clientId: client.id });
    const next = await refresh(tokens.refresh_token, { client_id: client.id });
    expect((await refresh(next.body.refresh_token, {}, { authorization: client.basic })).status).toBe(200);
  });
});

describe('a client that showed who it is for the code shows it for every refresh (RFC 6749 §6)', () => {
  test.each(['by header', 'by form'])('%s', async (way) => {
    const client = await makeClient(owner.projectId);
    const header: Record<string, string> = way === 'by header' ? { authorization: client.basic } : {};
    const fields: Record<string, string> =
      way === 'by form' ? { client_id: client.id, client_secret: client.secret } : {};
    const { code, verifier } = await startSession(owner, { clientId: client.id, scope: 'openid offline' });
    const { body } = await redeem({ code, code_verifier: verifier, ...fields }, header);
    const spellings: Record<string, string>[] = [{}, { client_id: client.id }];
    for (const named of spellings) {
      const bare = await refresh(body.refresh_token, named);
      expect([bare.status, bare.body.error]).toEqual([400, 'invalid_client']);
    }
    const wrong = await refresh(body.refresh_token, {}, { authorization: toBasic(client.id, 'wrong') });
    expect([wrong.status, wrong.body.error]).toEqual([401, 'invalid_client']);
    const next = await refresh(body.refresh_token, fields, header);
    expect(next.status, next.text).toBe(200);
    expect((await refresh(next.body.refresh_token)).body.error).toBe('invalid_client');
    expect((await refresh(next.body.refresh_token, fields, header)).status).toBe(200);
  });
});

describe('theft', () => {
  test('the secret before, after its minute: refused, and the login ends with every token', async () => {
    const { login: id, tokens, access } = await session();
    const { body } = await refresh(tokens.refresh_token);
    await age(id, 61_000);
    const reused = await refresh(tokens.refresh_token);
    expect([reused.status, reused.body]).toEqual([400, STALE]);
    for (const token of [access, body.access_token]) {
      expect((await callAuth('GET', '/auth/me', { token })).status).toBe(401);
    }
    expect((await refresh(body.refresh_token)).body).toEqual({
      error: 'invalid_grant',
      error_description: 'Token revoked',
    });
  });

  test('a secret two rotations old, however soon', async () => {
    const { tokens, access } = await session();
    const { body } = await refresh(tokens.refresh_token);
    await refresh(body.refresh_token);
    expect((await refresh(tokens.refresh_token)).body).toEqual(STALE);
    expect((await callAuth('GET', '/auth/me', { token: access })).status).toBe(401);
  });
});

describe('400', () => {
  test('absent, malformed, not ours, and tokens without a refresh secret', async () => {
    const { tokens } = await session();
    const [head, , signature] = tokens.refresh_token.split('.');
    const claims = Buffer.from(JSON.stringify(decodeJwt(tokens.refresh_token))).toString('base64url');
    const forged = [`${head}.${claims}.${signature?.replace(/^./, (c) => (c === 'A' ? 'B' : 'A'))}`, `e30.${claims}.`];
    for (const token of ['', 'x', 'a.b.c', tokens.access_token, tokens.id_token, ...forged]) {
      const { status, body } = await refresh(token);
      expect(status).toBe(400);
      const error = token === '' ? 'invalid_request' : 'invalid_grant';
      expect(body).toEqual({ error, error_description: expect.stringMatching(/refresh token/i) });
    }
    expect((await refresh(tokens.refresh_token)).status).toBe(200);
  });

  test('an expired one', async () => {
    const client = await makeClient(owner.projectId, { refreshTokenLifetime: '0s' });
    const { tokens } = await session({ clientId: client.id });
    expect((await refresh(tokens.refresh_token)).body).toEqual({
      error: 'invalid_grant',
      error_description: 'Invalid refresh token',
    });
  });

  test('another client in the form or the header, an empty secret, a wrong one', async () => {
    const client = await makeClient(owner.projectId);
    const other = await makeClient(owner.projectId);
    const { tokens } = await session({ clientId: client.id });
    const ask = (fields: Record<string, string>, authorization?: string) =>
      refresh(tokens.refresh_token, fields, authorization ? { authorization } : {});
    const answers = [
      await ask({ client_id: other.id }),
      await ask({ client_id: newId() }),
      await ask({}, other.basic),
      await ask({}, toBasic(client.id, '')),
      await ask({}, toBasic(client.id, 'wrong')),
      await ask({ client_id: client.id, client_secret: 'wrong' }),
    ];
    expect(answers.map(({ status, body }) => [status, body.error])).toEqual([
      [400, 'invalid_grant'],
      [400, 'invalid_grant'],
      [400, 'invalid_grant'],
      [401, 'invalid_client'],
      [401, 'invalid_client'],
      [400, 'invalid_client'],
    ]);
    for (const { body } of answers) expect(body.error_description).toMatch(/client|secret/i);
    expect((await ask({}, client.basic)).status).toBe(200);
  });

  test('a membership that is not active any more says so', async () => {
    const other = await makeOwner();
    const { tokens } = await signIn(other, { scope: 'offline' });
    await changeMember(other, { active: false });
    const { status, body } = await refresh(tokens.refresh_token);
    expect([status, body]).toEqual([
      400,
      { error: 'access_denied', error_description: expect.stringMatching(/not active/) },
    ]);
  });

  test('a login that was signed out', async () => {
    const { tokens, access } = await session();
    expect((await callAuth('POST', '/oauth2/logout', { token: access, body: {} })).status).toBe(200);
    expect((await refresh(tokens.refresh_token)).body).toEqual({
      error: 'invalid_grant',
      error_description: 'Token revoked',
    });
  });
});
