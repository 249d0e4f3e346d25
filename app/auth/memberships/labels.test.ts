import { beforeAll, expect, test } from 'vitest';
import { newId } from '#lib/base/ids.ts';
import { auditOf } from '#lib/testing/accounts.ts';
import { callApi, expectOutcome } from '#lib/testing/call-api.ts';
import { startSignIn } from '#lib/testing/factors.ts';
import { addProject, changeMember, makeClient, makeOwner, type Owner, signIn } from '#lib/testing/people.ts';

const SYSTEM = 'https://medplum.com/identifier/label';

let owner: Owner;
let second: { projectId: string; membershipId: string };
let bearer: string;

beforeAll(async () => {
  owner = await makeOwner();
  second = await addProject(owner.userId, owner.email);
  bearer = `Bearer ${(await signIn(owner)).access}`;
});

const put = (id: string, body: unknown, as: string | undefined = bearer) =>
  callApi(as, 'PUT', `/auth/memberships/${id}`, { body });

async function labels() {
  const { body } = await callApi(bearer, 'GET', '/auth/memberships');
  return new Map(body.memberships.map(({ id, label }: { id: string; label?: string }) => [id, label]));
}

test('a person labels their memberships, in every project, and chooses by them at the next sign-in; others’ identifiers stay', async () => {
  const other = { system: 'urn:payroll', value: '17' };
  await changeMember(second, { identifier: [other] });
  expect((await put(second.membershipId.toUpperCase(), { label: '  Night ward ' })).body).toEqual({
    id: second.membershipId,
    label: 'Night ward',
  });
  expect((await put(owner.membershipId, { label: 'Day' })).status).toBe(200);
  expect(await labels()).toEqual(
    new Map([
      [owner.membershipId, 'Day'],
      [second.membershipId, 'Night ward'],
    ]),
  );
  const { body } = await startSignIn(owner);
  const chosen = body.memberships.find(({ id }: { id: string }) => id === second.membershipId);
  expect(chosen.identifier).toEqual([other, { system: SYSTEM, value: 'Night ward' }]);
  expect(await auditOf(second.projectId, `ProjectMembership/${second.membershipId}`)).toContain('membership.update');
  expect((await put(second.membershipId, { label: null })).status).toBe(200);
  expect((await labels()).get(second.membershipId)).toBeUndefined();
});

test('fifty at once: each answers, one label is there', async () => {
  const answers = await Promise.all(Array.from({ length: 50 }, (_, n) => put(owner.membershipId, { label: `L${n}` })));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect((await labels()).get(owner.membershipId)).toMatch(/^L\d+$/);
});

test('somebody else’s, one that has ended, none: 404; a program, an app, nobody: refused', async () => {
  const stranger = await makeOwner();
  await changeMember(second, { period: { end: '2001' } });
  for (const id of [stranger.membershipId, newId(), 'x', second.membershipId]) {
    expectOutcome(await put(id, { label: 'Mine' }), 404);
  }
  const program = await makeClient(owner.projectId, {}, { admin: true });
  const app = await signIn(owner, { clientId: program.id });
  expectOutcome(await put(owner.membershipId, { label: 'x' }, program.basic), 403);
  expectOutcome(await put(owner.membershipId, { label: 'x' }, `Bearer ${app.access}`), 403);
  expectOutcome(
    await callApi(undefined, 'PUT', `/auth/memberships/${owner.membershipId}`, { body: { label: 'x' } }),
    401,
  );
});

test.each([
  [{}],
  [{ label: '' }],
  [{ label: 'a\u0000b' }],
  [{ label: '\ud800' }],
  [{ label: 'x'.repeat(65) }],
  [{ label: 'x'.repeat(1_000_000) }],
  [{ label: 5 }],
  [{ label: 'a', admin: true }],
])('%j: 400', async (body) => {
  expectOutcome(await put(owner.membershipId, body), 400);
});
