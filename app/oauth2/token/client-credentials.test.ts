import { eq } from 'drizzle-orm';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { beforeAll, describe, expect, test } from 'vitest';
import { newId } from '#lib/base/ids.ts';
import { login } from '#lib/infra/db/schema/login.ts';
import { auditEvent } from '#lib/infra/db/schema/operations.ts';
import { callAuth } from '#lib/testing/call-auth.ts';
import {
  askToken,
  changeMember,
  makeClient,
  makeOwner,
  type Owner,
  removeMember,
  type TestClient,
  toBasic,
} from '#lib/testing/people.ts';
import { db } from '#lib/testing/set-up/own-db.ts';

const GRANT = { grant_type: 'client_credentials' };
let owner: Owner;
let client: TestClient;

beforeAll(async () => {
  owner = await makeOwner();
  client = await makeClient(owner.projectId);
});

function expectError(answer: { status: number; body: unknown }, error: string, says: RegExp, status = 400): void {
  expect(answer.status).toBe(status);
  expect(answer.body).toEqual({ error, error_description: expect.stringMatching(says) });
}

describe('200', () => {
  test('the header, the form, and both at once as the peer’s CLI sends them', async () => {
    const form = { ...GRANT, client_id: client.id, client_secret: client.secret };
    const header = { authorization: client.basic };
    for (const answer of [await askToken(form), await askToken(GRANT, header), await askToken(form, header)]) {
      expect(answer.status).toBe(200);
      expect(answer.headers.get('cache-control')).toBe('no-store');
      expect(answer.headers.get('pragma')).toBe('no-cache');
      expect(answer.body).toEqual({
        token_type: 'Bearer',
        expires_in: 3600,
        scope: 'openid',
        id_token: expect.any(String),
        access_token: expect.any(String),
        project: { reference: `Project/${owner.projectId}`, display: 'Stone Clinic' },
        profile: { reference: client.profile, display: 'Program' },
      });
    }
  });

  test('the claims are exactly those of the contract and the project, without cid', async () => {
    const { body } = await askToken({ ...GRANT, scope: 'openid email' }, { authorization: client.basic });
    expect(decodeProtectedHeader(body.access_token)).toEqual({ alg: 'ES256', kid: expect.any(String), typ: 'at+jwt' });
    expect(decodeProtectedHeader(body.id_token).typ).toBe('JWT');
    const common = {
      iss: 'http://localhost:3999',
      aud: client.id,
      client_id: client.id,
      sub: client.id,
      login_id: expect.any(String),
      iat: expect.any(Number),
      exp: expect.any(Number),
    };
    const access = decodeJwt(body.access_token);
    const id = decodeJwt(body.id_token);
    const here = { aud: ['http://localhost:3999', client.id], jti: expect.any(String) };
    const named = {
      ...here,
      project: owner.projectId,
      username: client.id,
      scope: 'openid email',
      profile: client.profile,
    };
    expect(access).toEqual({ ...common, ...named });
    expect(id).toEqual({ ...common, project: owner.projectId, auth_time: expect.any(Number) });
    expect(access.exp! - access.iat!).toBe(3600);
  });

  test('a client’s own lifetime of its access tokens', async () => {
    const { basic } = await makeClient(owner.projectId, { accessTokenLifetime: '15m' });
    const { body } = await askToken(GRANT, { authorization: basic });
    const { iat, exp } = decodeJwt(body.access_token);
    expect(body.expires_in).toBe(900);
    expect(exp! - iat!).toBe(900);
  });

  test('a scope that is not known, is malformed or has no patient to be about is not said to be granted', async () => {
    const scope =
      'openid patient/Observation.read email nonsense system/*.rs user/Nope.rs launch/patient system/Task.x';
    const { body } = await askToken({ ...GRANT, scope }, { authorization: client.basic });
    const granted = 'openid email system/*.rs';
    expect([body.scope, decodeJwt(body.access_token).scope]).toEqual([granted, granted]);
    const only = await askToken({ ...GRANT, scope: 'nonsense' }, { authorization: client.basic });
    expect(only.body.scope).toBe('openid');
  });

  test('a token for records limits the program to these', async () => {
    const { body } = await askToken({ ...GRANT, scope: 'system/Patient.s' }, { authorization: client.basic });
    const authorization = `Bearer ${body.access_token}`;
    expect((await callAuth('GET', '/fhir/R4/Patient', { headers: { authorization } })).status).toBe(200);
    expect((await callAuth('GET', '/fhir/R4/Observation', { headers: { authorization } })).status).toBe(403);
    expect((await callAuth('GET', '/fhir/R4/Patient/1', { headers: { authorization } })).status).toBe(403);
    const refused = await askToken({ ...GRANT, scope: 'system/Patient.x' }, { authorization: client.basic });
    const headers = { authorization: `Bearer ${refused.body.access_token}` };
    expect((await callAuth('GET', '/fhir/R4/Patient', { headers })).status).toBe(403);
  });

  test('no refresh token, whatever the scope', async () => {
    const { body } = await askToken({ ...GRANT, scope: 'openid offline_access' }, { authorization: client.basic });
    expect(body).not.toHaveProperty('refresh_token');
  });

  test('a secret that is not URL-safe works raw, as curl and the peer send it, and form-encoded, as RFC 6749 says', async () => {
    const secret = 'a+b/c=d%41:e&longenough';
    const { id, basic } = await makeClient(owner.projectId, {}, { secret });
    const encoded = toBasic(id, encodeURIComponent(secret));
    expect((await askToken(GRANT, { authorization: basic })).status).toBe(200);
    expect((await askToken(GRANT, { authorization: encoded })).status).toBe(200);
    expect((await askToken({ ...GRANT, client_id: id, client_secret: secret })).status).toBe(200);
  });

  test('the login and its audit entry are kept, the token and the secret are not', async () => {
    const { body } = await askToken(GRANT, { authorization: client.basic, 'user-agent': 'probe/1' });
    const { login_id } = decodeJwt(body.access_token);
    const [row] = await db()
      .select()
      .from(login)
      .where(eq(login.id, String(login_id)));
    const [event] = await db()
      .select()
      .from(auditEvent)
      .where(eq(auditEvent.loginId, String(login_id)));
    expect(row).toMatchObject({ authMethod: 'client', granted: true, userAgent: 'probe/1', clientId: client.id });
    expect(event).toMatchObject({ action: 'login.client', projectId: owner.projectId, target: client.profile });
    expect(JSON.stringify([row, event])).not.toContain(client.secret);
    expect(JSON.stringify([row, event])).not.toContain(body.access_token);
  });
});

describe('400', () => {
  test('no grant type, an unknown one, and names of Object.prototype', async () => {
    const header = { authorization: client.basic };
    expectError(await askToken({}, header), 'invalid_request', /grant_type/);
    for (const name of ['password', 'urn:ietf:params:oauth:grant-type:jwt-bearer', 'toString', '__proto__']) {
      expectError(await askToken({ grant_type: name }, header), 'unsupported_grant_type', /grant_type/);
    }
  });

  test('no client, no secret; an empty value is no value', async () => {
    expectError(await askToken(GRANT), 'invalid_client', /missing client_id/i);
    expectError(await askToken({ ...GRANT, client_id: '' }), 'invalid_client', /missing client_id/i);
    expectError(await askToken({ ...GRANT, client_id: client.id }), 'invalid_client', /missing client_secret/i);
    const empty = { authorization: toBasic(client.id, '') };
    expectError(await askToken(GRANT, empty), 'invalid_client', /missing client_secret/i, 401);
  });

  test('an unknown client, one that is switched off, and one without a membership', async () => {
    const off = await makeClient(owner.projectId, { status: 'off' });
    const alone = await makeClient(owner.projectId);
    await removeMember({ projectId: owner.projectId, membershipId: alone.membershipId });
    for (const id of [newId(), 'not-a-uuid', off.id, alone.id]) {
      const answer = await askToken({ ...GRANT, client_id: id, client_secret: client.secret });
      expectError(answer, 'invalid_client', /invalid client/i);
    }
  });

  test('a wrong secret', async () => {
    const answer = await askToken({ ...GRANT, client_id: client.id, client_secret: 'wrong' });
    expectError(answer, 'invalid_client', /invalid secret/i);
  });

  test('who came with the header hears 401 and the scheme (RFC 6749 §5.2)', async () => {
    const form = { ...GRANT, client_id: client.id, client_secret: 'wrong' };
    for (const fields of [GRANT, form]) {
      const answer = await askToken(fields, { authorization: toBasic(client.id, 'wrong') });
      expectError(answer, 'invalid_client', /invalid secret/i, 401);
      expect(answer.headers.get('www-authenticate')).toBe('Basic realm="http://localhost:3999"');
      expect(answer.headers.get('cache-control')).toBe('no-store');
    }
  });

  test('an Authorization header that is not Basic credentials', async () => {
    for (const authorization of ['Bearer x', 'Basic', 'Basic !', `Basic ${btoa('no colon')}`, 'Digest a=b']) {
      expectError(await askToken(GRANT, { authorization }), 'invalid_request', /authorization header/i);
    }
  });

  test('any other content type, in the shape of OAuth', async () => {
    for (const type of ['application/json', 'text/plain', 'multipart/form-data; boundary=x', '']) {
      const headers = { authorization: client.basic, 'content-type': type };
      const answer = await callAuth('POST', '/oauth2/token', { body: JSON.stringify(GRANT), headers });
      expectError(answer, 'invalid_request', /application\/x-www-form-urlencoded/);
    }
  });

  test('a parameter that stands twice (RFC 6749 §3.2)', async () => {
    const body = new URLSearchParams([...Object.entries(GRANT), ['client_id', client.id], ['client_id', newId()]]);
    expectError(await callAuth('POST', '/oauth2/token', { body }), 'invalid_request', /client_id/);
  });

  test('a scope beyond 4,000 characters or with characters that a scope cannot have', async () => {
    for (const scope of ['x'.repeat(4001), 'a"b', 'a\nb', 'ü']) {
      expectError(await askToken({ ...GRANT, scope }, { authorization: client.basic }), 'invalid_scope', /scope/);
    }
    const nul = { ...GRANT, scope: 'a\u0000b' };
    expectError(await askToken(nul, { authorization: client.basic }), 'invalid_request', /scope/);
  });

  test('a membership that is not active any more', async () => {
    const { basic, membershipId } = await makeClient(owner.projectId);
    await changeMember({ projectId: owner.projectId, membershipId }, { active: false });
    expectError(await askToken(GRANT, { authorization: basic }), 'access_denied', /not active/);
  });
});

test('405 with Allow for every other method', async () => {
  for (const method of ['GET', 'PUT', 'PATCH', 'DELETE']) {
    const { status, headers } = await callAuth(method, '/oauth2/token');
    expect([status, headers.get('allow')]).toEqual([405, 'POST, OPTIONS']);
  }
});
