import { beforeAll, describe, expect, test } from 'vitest';
import { newId } from '#lib/base/ids.ts';
import { callAuth } from '#lib/testing/call-auth.ts';
import { makeOwner, type Owner, redeem, refresh, signIn, startSession } from '#lib/testing/people.ts';

let owner: Owner;
let token: string;

beforeAll(async () => {
  owner = await makeOwner();
  token = (await signIn(owner)).access;
});

function revoke(loginId: unknown, access: string | undefined = token) {
  return callAuth('POST', '/auth/revoke', { body: { loginId }, token: access });
}

test('200: one’s other session ends at once, with its refresh token', async () => {
  const other = await signIn(owner, { scope: 'offline' });
  const { status, body } = await revoke(other.login);
  expect([status, body.issue[0].details.text]).toEqual([200, 'All OK']);
  expect((await callAuth('GET', '/auth/me', { token: other.access })).status).toBe(401);
  expect((await refresh(other.tokens.refresh_token)).status).toBe(400);
  expect((await callAuth('GET', '/auth/me', { token })).status).toBe(200);
});

test('200 for all others: those too that are half done or unknown to any list; this one goes on, and other people’s', async () => {
  const person = await makeOwner();
  const [own, one, half, stranger] = [
    await signIn(person),
    await signIn(person),
    await startSession(person),
    await signIn(owner),
  ];
  for (let round = 0; round < 2; round++) {
    expect((await callAuth('POST', '/auth/revoke/others', { token: own.access })).status).toBe(200);
  }
  const status = async (access: string) => (await callAuth('GET', '/auth/me', { token: access })).status;
  expect([await status(own.access), await status(one.access), await status(stranger.access)]).toEqual([200, 401, 200]);
  expect((await redeem({ code: half.code, code_verifier: half.verifier })).status).toBe(400);
  expect((await callAuth('POST', '/auth/revoke/others')).status).toBe(401);
});

describe('404', () => {
  test('another person’s login is as unknown as none, and lives on', async () => {
    const stranger = await signIn(await makeOwner());
    const answers = [await revoke(stranger.login), await revoke(newId()), await revoke('x')];
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect((await callAuth('GET', '/auth/me', { token: stranger.access })).status).toBe(200);
  });
});

test('400 naming loginId', async () => {
  const { status, body } = await revoke(undefined);
  expect([status, body.issue[0].expression]).toEqual([400, ['loginId']]);
});

test('401 without a token', async () => {
  expect((await callAuth('POST', '/auth/revoke', { body: { loginId: newId() } })).status).toBe(401);
});
