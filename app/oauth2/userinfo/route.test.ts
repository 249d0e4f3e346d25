import { decodeJwt } from 'jose';
import { beforeAll, expect, test } from 'vitest';
import { callApi, expectOutcome } from '#lib/testing/call-api.ts';
import { callAuth } from '#lib/testing/call-auth.ts';
import { makeClient, makeOwner, type Owner, signIn } from '#lib/testing/people.ts';

const EVERYTHING = 'openid profile email phone address fhirUser';
let owner: Owner;
let profile: string;

beforeAll(async () => {
  owner = await makeOwner();
  const { access, tokens } = await signIn(owner);
  profile = (tokens.profile as { reference: string }).reference;
  const read = await callApi(`Bearer ${access}`, 'GET', `/fhir/R4/${profile}`);
  const body = {
    ...read.body,
    telecom: [{ system: 'phone', value: '+31 20 123' }],
    address: [{ line: ['Long Road 1', 'Gate 2'], city: 'Utrecht', postalCode: '3511', country: 'NL' }],
  };
  const put = await callApi(`Bearer ${access}`, 'PUT', `/fhir/R4/${profile}`, { body });
  expect(put.status, put.text).toBe(200);
});

async function claims(scope: string) {
  const { access, tokens } = await signIn(owner, { scope });
  const [got, posted] = await Promise.all(
    ['GET', 'POST'].map((method) => callAuth(method, '/oauth2/userinfo', { token: access })),
  );
  expect([got!.status, posted!.status]).toEqual([200, 200]);
  expect(posted!.body).toEqual(got!.body);
  expect(got!.headers.get('cache-control')).toBe('no-store');
  expect(got!.body.sub).toBe(decodeJwt(tokens.id_token).sub);
  return got!.body;
}

test('each scope gives its claims, and no more', async () => {
  const sub = owner.userId;
  expect(await claims('openid')).toEqual({ sub });
  expect(await claims('openid fhirUser')).toEqual({ sub, fhirUser: profile });
  expect(await claims('openid email')).toEqual({ sub, email: owner.email, email_verified: false });
  expect(await claims('openid phone')).toEqual({ sub, phone_number: '+31 20 123' });
  const name = { name: 'Ada Stone', given_name: 'Ada', family_name: 'Stone' };
  expect(await claims('openid profile')).toEqual({ sub, ...name, fhirUser: profile });
  expect(await claims(EVERYTHING)).toMatchObject({
    address: {
      formatted: 'Long Road 1\nGate 2\n3511 Utrecht\nNL',
      street_address: 'Long Road 1\nGate 2',
      locality: 'Utrecht',
      postal_code: '3511',
      country: 'NL',
    },
  });
});

test('a program has no name of a person, and its sub is its own', async () => {
  const client = await makeClient(owner.projectId);
  const answer = await callAuth('GET', '/oauth2/userinfo', { headers: { authorization: client.basic } });
  expect(answer.body).toEqual({ sub: client.id });
});

test('401 without a token, with an ID token, and after sign-out', async () => {
  expectOutcome(await callAuth('GET', '/oauth2/userinfo'), 401);
  const { access, tokens } = await signIn(owner);
  expectOutcome(await callAuth('GET', '/oauth2/userinfo', { token: tokens.id_token }), 401);
  await callAuth('POST', '/oauth2/logout', { token: access });
  expectOutcome(await callAuth('GET', '/oauth2/userinfo', { token: access }), 401);
});
