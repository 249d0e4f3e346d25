import { beforeAll, expect, test } from 'vitest';
import { callAuth } from '#lib/testing/call-auth.ts';
import { makeClient, makeOwner, type Owner, signIn } from '#lib/testing/people.ts';

let owner: Owner;

beforeAll(async () => {
  owner = await makeOwner();
});

test('200 for POST with {} as the peer’s client sends it, POST without a body, and GET; this session only', async () => {
  const stays = await signIn(owner);
  const ways = [
    ['POST', {}],
    ['POST', undefined],
    ['GET', undefined],
  ] as const;
  for (const [method, body] of ways) {
    const { access } = await signIn(owner);
    expect((await callAuth(method, '/oauth2/logout', { token: access, body })).status).toBe(200);
    expect((await callAuth('GET', '/auth/me', { token: access })).status).toBe(401);
  }
  expect((await callAuth('GET', '/auth/me', { token: stays.access })).status).toBe(200);
});

test('a program that came with its secret has nothing to end', async () => {
  const { basic } = await makeClient(owner.projectId);
  const headers = { authorization: basic };
  expect((await callAuth('POST', '/oauth2/logout', { headers })).status).toBe(200);
  expect((await callAuth('GET', '/auth/me', { headers })).status).toBe(200);
});

test('401 without a token, and with one that was signed out', async () => {
  expect((await callAuth('POST', '/oauth2/logout')).status).toBe(401);
  const { access } = await signIn(owner);
  await callAuth('POST', '/oauth2/logout', { token: access });
  expect((await callAuth('POST', '/oauth2/logout', { token: access })).status).toBe(401);
});
