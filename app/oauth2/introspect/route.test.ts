import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '#lib/base/ids.ts';
import { write } from '#lib/domain/audit/write.ts';
import { endLogins } from '#lib/domain/sessions/end-logins.ts';
import { watchStatements } from '#lib/infra/db/client.ts';
import { startInvalidation, stopInvalidation } from '#lib/infra/db/invalidation.ts';
import { callAuth } from '#lib/testing/call-auth.ts';
import {
  askToken,
  CTX,
  changeMember,
  makeClient,
  makeOwner,
  type Owner,
  refresh,
  signIn,
  type TestClient,
  toBasic,
} from '#lib/testing/people.ts';
import { createWorld } from '#lib/testing/world.ts';

let owner: Owner;
let asks: TestClient;

beforeAll(async () => {
  owner = await makeOwner();
  asks = await makeClient(owner.projectId);
});

function introspect(token: string, headers: Record<string, string> = { authorization: asks.basic }, fields = {}) {
  return callAuth('POST', '/oauth2/introspect', { body: new URLSearchParams({ token, ...fields }), headers });
}

async function isActive(token: string): Promise<boolean> {
  const { status, body } = await introspect(token);
  expect(status).toBe(200);
  if (!body.active) expect(body).toEqual({ active: false });
  return body.active;
}

async function programToken(client: TestClient): Promise<string> {
  return (await askToken({ grant_type: 'client_credentials' }, { authorization: client.basic })).body.access_token;
}

describe('200', () => {
  test('a person’s token, with the claims that it has', async () => {
    const { access } = await signIn(owner, { clientId: asks.id });
    const { status, headers, body } = await introspect(access);
    const { iat, exp, iss, aud, jti, sub, scope, client_id, profile } = decodeJwt(access);
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(body).toEqual({
      active: true,
      token_type: 'Bearer',
      ...{ iat, exp, iss, aud, jti, sub, scope, client_id, profile },
      username: owner.userId,
    });
  });

  test('a patient’s token names the patient', async () => {
    const world = await createWorld();
    const { id: membershipId, user } = await world.invite({ resourceType: 'Patient' });
    const patient = {
      ...owner,
      projectId: world.projectId,
      membershipId,
      userId: user.reference.slice('User/'.length),
    };
    const { access } = await signIn(patient);
    const { basic } = await makeClient(world.projectId);
    const { body } = await introspect(access, { authorization: basic });
    expect(`Patient/${body.patient}`).toBe(decodeJwt(access).profile);
  });

  test('a program asks by its header, by the form and by a token of its own; a member by theirs', async () => {
    const { access } = await signIn(owner);
    const form = { client_id: asks.id, client_secret: asks.secret };
    const ways: [Record<string, string>, Record<string, string>?][] = [
      [{ authorization: asks.basic }],
      [{}, form],
      [{ authorization: `Bearer ${await programToken(asks)}` }],
      [{ authorization: `Bearer ${access}` }],
    ];
    for (const [headers, fields] of ways) expect((await introspect(access, headers, fields)).body.active).toBe(true);
  });

  test('a refresh token until it is rotated, and never its secret', async () => {
    const { tokens } = await signIn(owner, { scope: 'openid offline' });
    const { text, body } = await introspect(tokens.refresh_token);
    expect(body).toMatchObject({ active: true, exp: decodeJwt(tokens.refresh_token).exp });
    expect(text).not.toContain(String(decodeJwt(tokens.refresh_token).refresh_secret));
    const next = await refresh(tokens.refresh_token);
    expect(await isActive(tokens.refresh_token)).toBe(false);
    expect(await isActive(next.body.refresh_token)).toBe(true);
  });

  test('nothing of a token of another project, of an id token, and of what is none', async () => {
    const other = await makeOwner();
    const { access, tokens } = await signIn(other, { scope: 'openid offline' });
    const own = await signIn(owner);
    for (const token of [access, tokens.refresh_token, own.tokens.id_token, 'x', 'a.b.c', `${own.access}x`]) {
      expect(await isActive(token)).toBe(false);
    }
  });

  test('nothing any more once the session, the membership or the program has ended', async () => {
    const signedOut = await signIn(owner);
    expect(await isActive(signedOut.access)).toBe(true);
    await callAuth('POST', '/oauth2/logout', { token: signedOut.access });
    expect(await isActive(signedOut.access)).toBe(false);

    const off = await makeClient(owner.projectId);
    const token = await programToken(off);
    expect(await isActive(token)).toBe(true);
    await write(CTX, async (w) => {
      await endLogins(w, { projectId: owner.projectId, clientId: off.id });
      w.audit({ projectId: owner.projectId, action: 'login.revoke', target: off.profile });
    });
    expect(await isActive(token)).toBe(false);

    const stopped = await makeClient(owner.projectId);
    const theirs = await programToken(stopped);
    await changeMember({ projectId: owner.projectId, membershipId: stopped.membershipId }, { active: false });
    expect(await isActive(theirs)).toBe(false);
  });
});

describe('what it costs', () => {
  beforeAll(startInvalidation);
  afterAll(stopInvalidation);

  async function statementsOf(run: () => Promise<unknown>): Promise<string[]> {
    const texts: string[] = [];
    const stop = watchStatements((text) => texts.push(text));
    await run();
    stop();
    return texts;
  }

  test('one statement for a token that nobody has shown yet, none for one that is known', async () => {
    await isActive(await programToken(asks));
    const token = await programToken(asks);
    expect(await statementsOf(() => isActive(token))).toHaveLength(1);
    expect(await statementsOf(() => isActive(token))).toEqual([]);
    const { access } = await signIn(owner);
    await callAuth('GET', '/auth/me', { token: access });
    expect(await statementsOf(() => isActive(access))).toEqual([]);
  });

  test('what is kept ends with the session', async () => {
    const { access } = await signIn(owner);
    expect([await isActive(access), await isActive(access)]).toEqual([true, true]);
    await callAuth('POST', '/oauth2/revoke', { body: new URLSearchParams({ token: access }) });
    expect(await isActive(access)).toBe(false);
  });
});

test('400 without a token, 400 and 401 for who does not show who they are', async () => {
  const { access } = await signIn(owner);
  const none = await introspect('');
  expect([none.status, none.body]).toEqual([400, { error: 'invalid_request', error_description: 'Missing token' }]);
  const answers = [
    await introspect(access, {}),
    await introspect(access, {}, { client_id: asks.id }),
    await introspect(access, {}, { client_id: newId(), client_secret: 'x' }),
    await introspect(access, { authorization: toBasic(asks.id, 'wrong') }),
    await introspect(access, { authorization: 'Bearer x' }),
  ];
  expect(answers.map(({ status, body }) => [status, body.error])).toEqual([
    [400, 'invalid_client'],
    [400, 'invalid_client'],
    [400, 'invalid_client'],
    [401, 'invalid_client'],
    [401, 'invalid_token'],
  ]);
  expect(answers[3]!.headers.get('www-authenticate')).toMatch(/^Basic /);
});
