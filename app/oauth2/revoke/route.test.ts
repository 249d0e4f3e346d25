import { and, eq } from 'drizzle-orm';
import { beforeAll, expect, test } from 'vitest';
import { newId } from '#lib/base/ids.ts';
import { auditEvent } from '#lib/infra/db/schema/operations.ts';
import { callAuth } from '#lib/testing/call-auth.ts';
import {
  askToken,
  makeClient,
  makeOwner,
  type Owner,
  refresh,
  signIn,
  type TestClient,
  toBasic,
} from '#lib/testing/people.ts';
import { db } from '#lib/testing/set-up/own-db.ts';

let owner: Owner;
let app: TestClient;

beforeAll(async () => {
  owner = await makeOwner();
  app = await makeClient(owner.projectId);
});

function revoke(fields: Record<string, string>, headers: Record<string, string> = {}) {
  return callAuth('POST', '/oauth2/revoke', { body: new URLSearchParams(fields), headers });
}

async function works(token: string): Promise<boolean> {
  return (await callAuth('GET', '/auth/me', { token })).status === 200;
}

const session = (clientId?: string) => signIn(owner, { scope: 'openid offline', ...(clientId && { clientId }) });

test('200 for an access token and for a refresh token: either ends all that came of the same sign-in, and no other', async () => {
  const stays = await session();
  for (const name of ['access_token', 'refresh_token'] as const) {
    const { tokens, access } = await session();
    const { status, headers } = await revoke({ token: tokens[name], token_type_hint: 'nonsense' });
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(await works(access)).toBe(false);
    expect((await refresh(tokens.refresh_token)).body.error).toBe('invalid_grant');
  }
  expect(await works(stays.access)).toBe(true);
});

test('200 for a client by its name alone, its header and its form; a program ends its own token', async () => {
  const ways: [Record<string, string>, Record<string, string>?][] = [
    [{ client_id: app.id }],
    [{}, { authorization: app.basic }],
    [{ client_id: app.id, client_secret: app.secret }],
  ];
  for (const [fields, headers] of ways) {
    const { access } = await session(app.id);
    expect((await revoke({ token: access, ...fields }, headers)).status).toBe(200);
    expect(await works(access)).toBe(false);
  }
  const header = { authorization: app.basic };
  const { body } = await askToken({ grant_type: 'client_credentials' }, header);
  expect((await revoke({ token: body.access_token }, header)).status).toBe(200);
  expect(await works(body.access_token)).toBe(false);
});

async function noted(): Promise<number> {
  const of = and(eq(auditEvent.projectId, owner.projectId), eq(auditEvent.action, 'login.revoke'));
  return (await db().select().from(auditEvent).where(of)).length;
}

test('200 for what is no token, for an id token, which ends nothing, and for one that has ended, which is noted once', async () => {
  const { tokens, access } = await session();
  const before = await noted();
  for (const token of ['x', 'a.b.c', tokens.id_token]) expect((await revoke({ token })).status).toBe(200);
  expect([await works(access), await noted()]).toEqual([true, before]);
  for (let round = 0; round < 2; round++) expect((await revoke({ token: access })).status).toBe(200);
  expect(await noted()).toBe(before + 1);
});

test('400 for a token of another client, which goes on, and 400 without a token', async () => {
  const { access } = await session(app.id);
  const other = await makeClient(owner.projectId);
  const answers = [
    await revoke({ token: access }),
    await revoke({ token: access, client_id: newId() }),
    await revoke({ token: access }, { authorization: other.basic }),
    await revoke({ client_id: app.id }),
  ];
  expect(answers.map(({ status, body }) => [status, body.error])).toEqual(answers.map(() => [400, 'invalid_request']));
  expect(await works(access)).toBe(true);
});

test('401 for a wrong secret in the header, 400 in the form; the token goes on', async () => {
  const { access } = await session(app.id);
  const byHeader = await revoke({ token: access }, { authorization: toBasic(app.id, 'wrong') });
  const byForm = await revoke({ token: access, client_id: app.id, client_secret: 'wrong' });
  expect([byHeader, byForm].map(({ status, body }) => [status, body.error])).toEqual([
    [401, 'invalid_client'],
    [400, 'invalid_client'],
  ]);
  expect(await works(access)).toBe(true);
});
