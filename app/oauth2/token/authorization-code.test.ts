import { eq } from 'drizzle-orm';
import { decodeJwt } from 'jose';
import { beforeAll, describe, expect, test } from 'vitest';
import { newId, newSecret } from '#lib/base/ids.ts';
import { login } from '#lib/infra/db/schema/login.ts';
import { callAuth } from '#lib/testing/call-auth.ts';
import {
  changeMember,
  makeClient,
  makeOwner,
  type Owner,
  redeem,
  signIn,
  startSession,
  toBasic,
} from '#lib/testing/people.ts';
import { db } from '#lib/testing/set-up/own-db.ts';

const NO_PKCE = { codeChallenge: undefined, codeChallengeMethod: undefined };
let owner: Owner;

beforeAll(async () => {
  owner = await makeOwner();
});

function me(token: string) {
  return callAuth('GET', '/auth/me', { token });
}

describe('200', () => {
  test('a login without a client: the S256 verifier is enough, and the answer says who signed in where', async () => {
    const { code, verifier } = await startSession(owner);
    const { status, body } = await redeem({ code, code_verifier: verifier });
    expect(status).toBe(200);
    expect(body).toEqual({
      token_type: 'Bearer',
      expires_in: 3600,
      scope: 'openid',
      id_token: expect.any(String),
      access_token: expect.any(String),
      project: { reference: `Project/${owner.projectId}`, display: 'Stone Clinic' },
      profile: { reference: expect.stringMatching(/^Practitioner\//), display: 'Ada Stone' },
    });
    expect((await me(body.access_token)).status).toBe(200);
  });

  test('claims without a client: no client_id, and an access token for here; nonce and e-mail in the id token only', async () => {
    const {
      code,
      verifier,
      login: loginId,
    } = await startSession(owner, { scope: 'openid email offline', nonce: 'n-1' });
    const { body } = await redeem({ code, code_verifier: verifier, client_id: '' });
    const common = {
      iss: 'http://localhost:3999',
      iat: expect.any(Number),
      exp: expect.any(Number),
      login_id: loginId,
    };
    const sub = owner.userId;
    const project = owner.projectId;
    const profile = body.profile.reference;
    const scope = 'openid email offline';
    const here = { aud: common.iss, jti: expect.any(String) };
    expect(decodeJwt(body.access_token)).toEqual({ ...common, ...here, project, sub, username: sub, scope, profile });
    expect(decodeJwt(body.id_token)).toEqual({
      ...common,
      aud: common.iss,
      project,
      sub,
      nonce: 'n-1',
      auth_time: expect.any(Number),
      acr: 'urn:gatehouse:acr:one-factor',
      amr: ['pwd'],
      email: owner.email,
    });
    const refresh = decodeJwt(body.refresh_token);
    expect(refresh).toEqual({ ...common, aud: common.iss, project, refresh_secret: expect.any(String) });
    expect(refresh.exp! - refresh.iat!).toBe(14 * 24 * 3600);
  });

  test.each([
    ['openid', {}],
    ['openid fhirUser', { fhirUser: expect.stringMatching(/^Practitioner\//) }],
    ['openid profile', { name: 'Ada Stone' }],
    ['openid email', { email: expect.stringContaining('@example.com') }],
    ['profile email fhirUser openid', { name: 'Ada Stone', email: expect.any(String), fhirUser: expect.any(String) }],
  ])('%s decides what the id token tells of the person', async (scope, told) => {
    const { tokens } = await signIn(owner, { scope });
    const { name, email, fhirUser } = decodeJwt(tokens.id_token);
    const claims = Object.entries({ name, email, fhirUser }).filter(([, value]) => value !== undefined);
    expect([Object.fromEntries(claims), tokens.scope]).toEqual([told, scope]);
  });

  test('patient: of who is one, and of nobody else', async () => {
    const practitioner = await signIn(owner, { scope: 'openid launch/patient patient/*.rs user/*.rs' });
    expect(practitioner.tokens).not.toHaveProperty('patient');
    expect(practitioner.tokens.scope).toBe('openid user/*.rs');
    const them = await makeOwner();
    const id = newId();
    await changeMember(them, { profile: { reference: `Patient/${id}` } });
    const patient = await signIn(them, { scope: 'openid launch/patient patient/*.rs' });
    expect([patient.tokens.patient, patient.tokens.scope]).toEqual([id, 'openid launch/patient patient/*.rs']);
  });

  test('the id token is refused as a bearer token, and so is the refresh token', async () => {
    const { code, verifier } = await startSession(owner, { scope: 'openid offline' });
    const { body } = await redeem({ code, code_verifier: verifier });
    for (const token of [body.id_token, body.refresh_token]) expect((await me(token)).status).toBe(401);
  });

  test('a plain challenge, a client’s secret in the header or the form, and a client that needs no proof', async () => {
    const plain = newSecret(48);
    const started = await startSession(owner, { codeChallenge: plain, codeChallengeMethod: 'plain' });
    expect((await redeem({ code: started.code, code_verifier: plain })).status).toBe(200);

    const client = await makeClient(owner.projectId);
    const one = await startSession(owner, { clientId: client.id, ...NO_PKCE });
    expect((await redeem({ code: one.code }, { authorization: client.basic })).status).toBe(200);
    const two = await startSession(owner, { clientId: client.id.toUpperCase(), ...NO_PKCE });
    const form = { code: two.code, client_id: client.id, client_secret: client.secret };
    const { body } = await redeem(form);
    expect(decodeJwt(body.access_token)).toMatchObject({ client_id: client.id });

    const optional = await makeClient(owner.projectId, { pkceOptional: true });
    const three = await startSession(owner, { clientId: optional.id, ...NO_PKCE });
    expect((await redeem({ code: three.code, client_id: optional.id })).status).toBe(200);
  });

  test('the client’s own lifetimes', async () => {
    const lifetimes = { accessTokenLifetime: '5m', refreshTokenLifetime: '1d' };
    const client = await makeClient(owner.projectId, { ...lifetimes, pkceOptional: true });
    const { code } = await startSession(owner, { clientId: client.id, ...NO_PKCE, scope: 'offline_access' });
    const { body } = await redeem({ code, client_id: client.id });
    const { iat, exp } = decodeJwt(body.refresh_token);
    expect([body.expires_in, exp! - iat!]).toEqual([300, 86_400]);
  });

  test('a refresh token only when the scope or `remember` asks for one', async () => {
    const asks = [
      {},
      { scope: 'openid' },
      { scope: 'offline' },
      { scope: 'openid offline_access' },
      { remember: true },
    ];
    const given = [];
    for (const fields of asks) {
      const { code, verifier } = await startSession(owner, fields);
      given.push('refresh_token' in (await redeem({ code, code_verifier: verifier })).body);
    }
    expect(given).toEqual([false, false, true, true, true]);
  });
});

describe('400', () => {
  const refusals: [string, Record<string, string>, string, RegExp][] = [
    ['no code', { code: '' }, 'invalid_request', /code/],
    ['an unknown code', { code: 'unknown' }, 'invalid_grant', /code/],
    ['an unknown code of a project', { code: `${newId()}.${newSecret()}` }, 'invalid_grant', /code/],
    ['another client', { client_id: newId() }, 'invalid_grant', /Invalid client/],
    ['no verifier', { code_verifier: '' }, 'invalid_request', /verifier/],
    ['a wrong verifier', { code_verifier: 'x'.repeat(64) }, 'invalid_grant', /verifier/],
    ['a secret of no client', { client_secret: 'x' }, 'invalid_client', /secret/i],
  ];
  test.each(refusals)('%s; the code still works for its owner', async (_, fields, error, says) => {
    const { code, verifier } = await startSession(owner);
    const answer = await redeem({ code, code_verifier: verifier, ...fields });
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({ error, error_description: expect.stringMatching(says) });
    expect((await redeem({ code, code_verifier: verifier })).status).toBe(200);
  });

  test('secret and verifier are both checked when both are there', async () => {
    const client = await makeClient(owner.projectId);
    const { code, verifier } = await startSession(owner, { clientId: client.id });
    const given = { code, client_id: client.id };
    const wrongVerifier = await redeem({ ...given, client_secret: client.secret, code_verifier: 'x'.repeat(64) });
    const noVerifier = await redeem({ ...given, client_secret: client.secret });
    const wrongSecret = await redeem({ ...given, client_secret: 'wrong', code_verifier: verifier });
    const wrongHeader = await redeem({ code, code_verifier: verifier }, { authorization: toBasic(client.id, 'wrong') });
    expect([wrongVerifier, noVerifier].map(({ body }) => body.error_description)).toEqual([
      'Invalid code verifier',
      'Missing code verifier',
    ]);
    expect([wrongSecret, wrongHeader].map(({ body }) => body.error_description)).toEqual([
      'Invalid secret',
      'Invalid secret',
    ]);
    expect((await redeem({ ...given, client_secret: client.secret, code_verifier: verifier })).status).toBe(200);
  });

  test('neither verifier nor secret, for a client that did not say pkceOptional', async () => {
    const client = await makeClient(owner.projectId);
    const { code } = await startSession(owner, { clientId: client.id, ...NO_PKCE });
    const { body } = await redeem({ code, client_id: client.id });
    expect(body).toEqual({ error: 'invalid_request', error_description: expect.stringMatching(/verification/) });
  });

  test('an S256 challenge is not met by sending the challenge itself', async () => {
    const { code } = await startSession(owner, { codeChallenge: 'c'.repeat(43) });
    expect((await redeem({ code, code_verifier: 'c'.repeat(43) })).status).toBe(400);
  });

  test('an expired code, and another redirect_uri than the sign-in named', async () => {
    const old = await startSession(owner);
    await db()
      .update(login)
      .set({ codeExpiresAt: new Date(Date.now() - 1) })
      .where(eq(login.id, old.login));
    const expired = await redeem({ code: old.code, code_verifier: old.verifier });
    expect(expired.body).toEqual({ error: 'invalid_grant', error_description: 'Expired code' });
    const { code, verifier } = await startSession(owner, { redirectUri: 'https://app.example.com/' });
    const elsewhere = { code, code_verifier: verifier, redirect_uri: 'https://evil.example.com/' };
    expect((await redeem(elsewhere)).body).toMatchObject({ error: 'invalid_grant' });
  });

  test('a login that was revoked, and a membership that is not active', async () => {
    const started = await startSession(owner);
    await db().update(login).set({ revoked: true }).where(eq(login.id, started.login));
    const revoked = await redeem({ code: started.code, code_verifier: started.verifier });
    expect(revoked.body).toEqual({ error: 'invalid_grant', error_description: expect.stringMatching(/revoked/) });
    const other = await makeOwner();
    const { login: id, code, verifier } = await startSession(other);
    await changeMember(other, { active: false });
    await db().update(login).set({ revoked: false }).where(eq(login.id, id));
    expect((await redeem({ code, code_verifier: verifier })).body).toEqual({
      error: 'access_denied',
      error_description: expect.stringMatching(/not active/),
    });
  });
});

describe('a code is good once', () => {
  test('using it again revokes the login, and the tokens that it gave die at once', async () => {
    const { code, verifier } = await startSession(owner, { scope: 'openid offline' });
    const { body } = await redeem({ code, code_verifier: verifier });
    expect((await me(body.access_token)).status).toBe(200);
    const again = await redeem({ code, code_verifier: verifier });
    expect(again.status).toBe(400);
    expect(again.body).toEqual({ error: 'invalid_grant', error_description: expect.stringMatching(/already granted/) });
    expect((await me(body.access_token)).status).toBe(401);
  });

  test('of ten at the same moment at most one gets tokens, and those are dead: nobody knows which was the thief', async () => {
    const { code, verifier } = await startSession(owner);
    const answers = await Promise.all(Array.from({ length: 10 }, () => redeem({ code, code_verifier: verifier })));
    const won = answers.filter(({ status }) => status === 200);
    expect(won).toHaveLength(1);
    expect((await me(won[0]!.body.access_token)).status).toBe(401);
  });
});
