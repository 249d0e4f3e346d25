import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { newId } from '#lib/base/ids.ts';
import { callAuth } from '#lib/testing/call-auth.ts';
import { changeSettings } from '#lib/testing/change-settings.ts';
import {
  askToken,
  makeClient,
  makeOwner,
  type Owner,
  redeem,
  refresh,
  startSession,
  type TestClient,
} from '#lib/testing/people.ts';
import {
  type KeyPair,
  type KeyServer,
  makeKeyPair,
  signAssertion,
  startKeyServer,
} from '#lib/testing/servers/key-server.ts';

const TYPE = { client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer' };
let restore: () => void;
let owner: Owner;
let server: KeyServer;
let pair: KeyPair;
let client: TestClient;

beforeAll(async () => {
  restore = changeSettings({ FETCH_PRIVATE_ADDRESSES: true });
  [owner, server, pair] = await Promise.all([makeOwner(), startKeyServer(), makeKeyPair('RS384')]);
  server.keys = [pair.publicJwk];
  client = await makeClient(owner.projectId, { jwksUri: server.jwksUri });
});
afterAll(async () => {
  restore();
  await server.stop();
});

function ask(assertion: string, fields: Record<string, string> = {}) {
  return askToken({ grant_type: 'client_credentials', ...TYPE, client_assertion: assertion, ...fields });
}

async function withServer(): Promise<{ own: KeyServer; program: TestClient }> {
  const own = await startKeyServer();
  onTestFinished(() => own.stop());
  return { own, program: await makeClient(owner.projectId, { jwksUri: own.jwksUri }) };
}

describe('200', () => {
  test.each(['RS256', 'RS384', 'RS512', 'ES256', 'ES384', 'ES512'])('%s', async (alg) => {
    const { own, program } = await withServer();
    const key = await makeKeyPair(alg);
    own.keys = [key.publicJwk];
    const { status, body } = await ask(await signAssertion(key, program.id));
    expect([status, decodeJwt(body.access_token).sub]).toEqual([200, program.id]);
  });

  test('as the peer’s clients send it, without client_id and kid; with client_id; for the issuer', async () => {
    const assertion = await signAssertion(pair, client.id, {}, { kid: undefined, typ: 'JWT' });
    expect((await ask(assertion)).status).toBe(200);
    const named = await signAssertion(pair, client.id, { aud: ['http://localhost:3999', 'https://elsewhere.example'] });
    expect((await ask(named, { client_id: client.id })).status).toBe(200);
    const pushed = await signAssertion(pair, client.id, { aud: 'http://localhost:3999/oauth2/par' });
    expect((await ask(pushed)).status).toBe(200);
  });

  test('a code and a refresh token, and the questions about tokens', async () => {
    const { code, verifier } = await startSession(owner, { clientId: client.id, scope: 'openid offline' });
    const proof = async () => ({ ...TYPE, client_assertion: await signAssertion(pair, client.id) });
    const first = await redeem({ code, code_verifier: verifier, ...(await proof()) });
    expect(first.status).toBe(200);
    const next = await refresh(first.body.refresh_token, await proof());
    expect(next.status).toBe(200);
    const token = next.body.access_token;
    const body = new URLSearchParams({ token, ...(await proof()) });
    expect((await callAuth('POST', '/oauth2/introspect', { body })).body.active).toBe(true);
    const last = new URLSearchParams({ token, ...(await proof()) });
    expect((await callAuth('POST', '/oauth2/revoke', { body: last })).status).toBe(200);
    expect((await callAuth('GET', '/auth/me', { token })).status).toBe(401);
  });

  test('a client with keys shows them for its code, whatever else it has; and for the next token', async () => {
    const { code, verifier } = await startSession(owner, { clientId: client.id, scope: 'openid offline' });
    const proof = async () => ({ ...TYPE, client_assertion: await signAssertion(pair, client.id) });
    const form = { code, code_verifier: verifier, client_id: client.id };
    const bare = await redeem(form);
    expect([bare.status, bare.body.error]).toEqual([400, 'invalid_client']);
    const { body } = await redeem({ ...form, ...(await proof()) });
    const again = await refresh(body.refresh_token, { client_id: client.id });
    expect([again.status, again.body.error]).toEqual([400, 'invalid_client']);
    expect((await refresh(body.refresh_token, await proof())).status).toBe(200);
  });

  test('its secret goes on working beside its keys', async () => {
    const answer = await askToken({ grant_type: 'client_credentials' }, { authorization: client.basic });
    expect(answer.status).toBe(200);
  });

  test('keys are fetched once, and again for one that is not known, not each time', async () => {
    const { own, program } = await withServer();
    const [one, two] = [await makeKeyPair('ES256'), await makeKeyPair('ES256')];
    own.keys = [one.publicJwk];
    for (let round = 0; round < 3; round++) expect((await ask(await signAssertion(one, program.id))).status).toBe(200);
    for (let round = 0; round < 3; round++) expect((await ask(await signAssertion(two, program.id))).status).toBe(400);
    expect(own.asked).toBe(1);
  });
});

describe('400', () => {
  const now = () => Math.floor(Date.now() / 1000);
  const claims: [string, () => Record<string, unknown>, RegExp][] = [
    ['for somebody else', () => ({ aud: 'https://elsewhere.example/oauth2/token' }), /aud/],
    ['for nobody', () => ({ aud: undefined }), /aud/],
    ['another issuer', () => ({ iss: newId() }), /iss/],
    ['expired', () => ({ iat: now() - 900, exp: now() - 120 }), /expired/],
    ['without an end', () => ({ exp: undefined }), /exp/],
    ['for longer than ten minutes', () => ({ exp: now() + 3600 }), /ten minutes/],
    ['from the future', () => ({ iat: now() + 300 }), /iat/],
    ['not yet', () => ({ nbf: now() + 300 }), /nbf/],
    ['without a name of its own', () => ({ jti: undefined }), /jti/],
    ['of an unknown client', () => ({ sub: newId() }), /client/i],
  ];
  test.each(claims)('%s', async (_, change, says) => {
    const { status, body } = await ask(await signAssertion(pair, client.id, change()));
    expect([status, body]).toEqual([400, { error: 'invalid_client', error_description: expect.stringMatching(says) }]);
  });

  test('used twice, even at the same moment: one of them', async () => {
    const assertion = await signAssertion(pair, client.id);
    const answers = await Promise.all(Array.from({ length: 5 }, () => ask(assertion)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400, 400]);
    const refused = answers.filter(({ status }) => status === 400);
    for (const { body } of refused) expect(body.error_description).toMatch(/jti was used before/);
  });

  test('signed by another key of the same name, by none, and by the client’s secret', async () => {
    const other = await makeKeyPair('RS384');
    const forged = await signAssertion({ ...other, kid: pair.kid }, client.id);
    const [head, payload] = forged.split('.');
    const none = Buffer.from(JSON.stringify({ alg: 'none' })).toString('base64url');
    for (const assertion of [forged, `${head}.${payload}.`, `${none}.${payload}.`, `${none}.${payload}.x`]) {
      const { status, body } = await ask(assertion);
      expect([status, body.error]).toEqual([400, 'invalid_client']);
    }
    const program = await makeClient(owner.projectId, { jwksUri: server.jwksUri });
    const secret = new TextEncoder().encode(program.secret);
    const { SignJWT } = await import('jose');
    const bySecret = await new SignJWT(decodeJwt(await signAssertion(pair, program.id)))
      .setProtectedHeader({ alg: 'HS256' })
      .sign(secret);
    expect((await ask(bySecret)).body.error_description).toMatch(/RS256, RS384/);
  });

  test('a client without keys, no assertion, another type, another client in the form', async () => {
    const without = await makeClient(owner.projectId);
    const assertion = await signAssertion(pair, client.id);
    const answers = [
      await ask(await signAssertion(pair, without.id)),
      await askToken({ grant_type: 'client_credentials', ...TYPE, client_id: client.id }),
      await askToken({ grant_type: 'client_credentials', client_assertion: assertion }),
      await ask(assertion, { client_id: without.id }),
      await ask('nonsense', { client_id: client.id }),
      await ask('nonsense'),
    ];
    expect(answers.map(({ status, body }) => [status, body.error])).toEqual([
      [400, 'invalid_client'],
      [400, 'invalid_client'],
      [400, 'invalid_request'],
      [400, 'invalid_client'],
      [400, 'invalid_client'],
      [400, 'invalid_client'],
    ]);
    expect(answers[0]!.body.error_description).toMatch(/JWK/);
    expect((await ask(assertion)).status).toBe(200);
  });

  test('keys that cannot be had: said so, asked for once in a while, and no guess', async () => {
    const { own, program } = await withServer();
    own.keys = [pair.publicJwk];
    for (const answer of [302, 500]) {
      own.status = answer;
      for (let round = 0; round < 6; round++) {
        const { status, body } = await ask(await signAssertion(pair, program.id));
        expect([status, body.error_description]).toEqual([
          400,
          'The keys at the client’s JWK Set URI could not be read',
        ]);
      }
    }
    expect(own.asked).toBe(1);
  });

  test('keys on this machine or in a private network are not fetched', async () => {
    const { own, program } = await withServer();
    own.keys = [pair.publicJwk];
    onTestFinished(changeSettings({ FETCH_PRIVATE_ADDRESSES: false }));
    expect((await ask(await signAssertion(pair, program.id))).body.error_description).toMatch(/could not be read/);
    expect(own.asked).toBe(0);
  });
});
