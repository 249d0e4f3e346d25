import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { newId } from '#lib/base/ids.ts';
import type { IdentityProvider as Settings } from '#lib/protocol/fhir/client-types.ts';
import { callAuth } from '#lib/testing/call-auth.ts';
import { changeSettings } from '#lib/testing/change-settings.ts';
import {
  askToken,
  changeMember,
  makeClient,
  makeOwner,
  type Owner,
  refresh,
  type TestClient,
} from '#lib/testing/people.ts';
import { type IdentityProvider, startIdentityProvider } from '#lib/testing/servers/identity-provider.ts';
import { makeKeyPair, signAssertion, startKeyServer } from '#lib/testing/servers/key-server.ts';

const GRANT = 'urn:ietf:params:oauth:grant-type:token-exchange';
const ACCESS_TOKEN = 'urn:ietf:params:oauth:token-type:access_token';
let restore: () => void;
let owner: Owner;
let provider: IdentityProvider;
let client: TestClient;

beforeAll(async () => {
  restore = changeSettings({ FETCH_PRIVATE_ADDRESSES: true });
  [owner, provider] = await Promise.all([makeOwner(), startIdentityProvider([])]);
  client = await makeClient(owner.projectId, { identityProvider: provider.settings as Settings });
});
afterAll(async () => {
  restore();
  await provider.stop();
});

function exchange(token: string, change: Record<string, string> = {}, headers: Record<string, string> = {}) {
  const form = { grant_type: GRANT, client_id: client.id, subject_token: token, subject_token_type: ACCESS_TOKEN };
  return askToken({ ...form, ...change }, headers);
}

function clientOf(change: Partial<Settings>) {
  return makeClient(owner.projectId, { identityProvider: { ...(provider.settings as Settings), ...change } });
}

describe('200', () => {
  test('a token of the provider, for tokens of the person whose proven address it tells; and their refresh', async () => {
    provider.person = { sub: 'p-1', email: owner.email.toUpperCase(), email_verified: true };
    const { status, body, text } = await exchange(await provider.accessToken());
    expect(status, text).toBe(200);
    expect(body).toMatchObject({
      issued_token_type: ACCESS_TOKEN,
      scope: 'openid offline',
      project: { reference: `Project/${owner.projectId}` },
    });
    expect(decodeJwt(body.access_token)).toMatchObject({ sub: owner.userId, client_id: client.id });
    expect((await callAuth('GET', '/auth/me', { token: body.access_token })).status).toBe(200);
    expect((await refresh(body.refresh_token, { client_id: client.id })).status).toBe(200);
  });

  test('by /auth/exchange in JSON', async () => {
    provider.person = { sub: 'p-1', email: owner.email, email_verified: true };
    const body = { clientId: client.id, externalAccessToken: await provider.accessToken(), scope: 'openid' };
    const answer = await callAuth('POST', '/auth/exchange', { body });
    expect([answer.status, answer.body.scope]).toEqual([200, 'openid']);
    expect(answer.body).not.toHaveProperty('refresh_token');
  });

  test('useSubject: by the external id of the membership, whatever the address', async () => {
    const them = await makeOwner();
    const externalId = `ext-${newId()}`;
    await changeMember(them, { externalId });
    const settings = { ...(provider.settings as Settings), useSubject: true };
    const own = await makeClient(them.projectId, { identityProvider: settings });
    provider.person = { sub: externalId, email: owner.email, email_verified: true };
    const { body } = await exchange(await provider.accessToken(), { client_id: own.id });
    expect(decodeJwt(body.access_token).sub).toBe(them.userId);
    expect((await exchange(await provider.accessToken(), { client_id: (await clientOf(settings)).id })).status).toBe(
      400,
    );
  });
});

describe('400', () => {
  test('an address that is not proven there, that nobody has, or whose membership has ended', async () => {
    const gone = await makeOwner();
    const theirs = await makeClient(gone.projectId, { identityProvider: provider.settings as Settings });
    await changeMember(gone, { active: false });
    const stranger = await makeOwner();
    const people: [object, string][] = [
      [{ email: owner.email, email_verified: false }, client.id],
      [{ email: owner.email }, client.id],
      [{}, client.id],
      [{ email: 'nobody@example.com', email_verified: true }, client.id],
      [{ email: stranger.email, email_verified: true }, client.id],
      [{ email: gone.email, email_verified: true }, theirs.id],
    ];
    for (const [claims, id] of people) {
      provider.person = { sub: 'p-2', ...claims };
      const { status, body } = await exchange(await provider.accessToken(), { client_id: id });
      expect([claims, status, body.error]).toEqual([claims, 400, 'invalid_grant']);
    }
  });

  test('a token that is none, a client without a provider, another kind of token, no token', async () => {
    provider.person = { sub: 'p-1', email: owner.email, email_verified: true };
    const token = await provider.accessToken();
    const plain = await makeClient(owner.projectId);
    const answers = [
      await exchange('nonsense'),
      await exchange(`x\r\ny: z`),
      await exchange(token, { client_id: plain.id }),
      await exchange(token, { client_id: newId() }),
      await exchange(token, { client_secret: 'wrong' }),
      await exchange(token, { subject_token_type: 'urn:ietf:params:oauth:token-type:id_token' }),
      await exchange(token, { requested_token_type: 'urn:ietf:params:oauth:token-type:saml2' }),
      await exchange(token, { actor_token: 'x' }),
      await exchange(''),
    ];
    expect(answers.map(({ status, body }) => [status, body.error])).toEqual([
      [400, 'invalid_grant'],
      [400, 'invalid_grant'],
      [400, 'invalid_request'],
      [400, 'invalid_client'],
      [400, 'invalid_client'],
      [400, 'invalid_request'],
      [400, 'invalid_request'],
      [400, 'invalid_request'],
      [400, 'invalid_request'],
    ]);
    const json = await callAuth('POST', '/auth/exchange', { body: { clientId: client.id } });
    expect([json.status, json.body.issue[0].expression]).toEqual([400, ['externalAccessToken']]);
  });

  test('a signed token that was made for another program of the same provider; one that says nothing where that is asked', async () => {
    const [keys, pair] = await Promise.all([startKeyServer(), makeKeyPair('ES256')]);
    onTestFinished(() => keys.stop());
    keys.keys = [pair.publicJwk];
    const own = await clientOf({ issuer: provider.issuer, jwksUrl: keys.jwksUri, audience: 'api://here' });
    const sign = (aud: string) => signAssertion(pair, 'p-1', { iss: provider.issuer, aud });
    for (const token of [await sign('api://elsewhere'), await provider.accessToken()])
      expect((await exchange(token, { client_id: own.id })).body.error).toBe('invalid_grant');
    expect(keys.asked).toBe(1);
  });

  test('a provider on this machine or in a private network is not asked', async () => {
    provider.person = { sub: 'p-1', email: owner.email, email_verified: true };
    const token = await provider.accessToken();
    onTestFinished(changeSettings({ FETCH_PRIVATE_ADDRESSES: false }));
    expect((await exchange(token)).body.error).toBe('invalid_grant');
  });
});
