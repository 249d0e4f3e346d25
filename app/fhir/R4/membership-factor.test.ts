import { sql } from 'drizzle-orm';
import { beforeAll, expect, test } from 'vitest';
import { noteFactors } from '#lib/domain/standing/refresh-factors.ts';
import { type Accepted, acceptedMember } from '#lib/testing/accounts.ts';
import { type Answer, callApi, expectOutcome } from '#lib/testing/call-api.ts';
import { addPasskey } from '#lib/testing/devices/passkeys.ts';
import { enrollTotp } from '#lib/testing/factors.ts';
import type { Owner } from '#lib/testing/people.ts';
import { db } from '#lib/testing/set-up/own-db.ts';
import { setProject } from '#lib/testing/ways.ts';
import { createWorld, signIn, type World } from '#lib/testing/world.ts';

let world: World;
let plain: Accepted;
let withApp: Accepted;
let withKey: Accepted;

beforeAll(async () => {
  world = await createWorld();
  plain = await acceptedMember(world);
  withApp = await acceptedMember(world, 'server');
  withKey = await acceptedMember(world);
  await enrollTotp(asOwner(withApp));
  await addPasskey(asOwner(withKey));
});

function asOwner({ id, userId, email }: Accepted): Owner {
  return { userId, email, projectId: world.projectId, membershipId: id };
}

function search(query: string): Promise<Answer> {
  return callApi(world.owner.bearer, 'GET', `/fhir/R4/ProjectMembership?_total=accurate&${query}`);
}

async function found(query: string): Promise<string[]> {
  const { body } = await search(query);
  return (body.entry ?? []).map((entry: Answer['body']) => entry.resource.id).sort();
}

async function factsOf(id: string) {
  return (await world.call('GET', `/member-facts?membership=${id}`)).body.rows[0];
}

test('a search finds who has nothing beside a password, something, or a passkey; programs have none and are no answer', async () => {
  expect(await found('factor=passkey')).toEqual([withKey.id]);
  expect(await found('factor=any')).toEqual([withApp.id, withKey.id].sort());
  expect(await found('factor=none')).toEqual([world.owner.membershipId, plain.id].sort());
  expect(await found('factor=none,passkey&status=active&admin=false')).toEqual([plain.id, withKey.id].sort());
  const total = async (query: string) => (await search(`_count=1&${query}`)).body.total;
  expect([await total('factor=any'), await total('factor=none'), await total('factor=none,passkey')]).toEqual([
    2, 2, 3,
  ]);
  expect([await total('factor=none&admin=true'), await total('factor=none&factor=any')]).toEqual([1, 0]);
  expect(await total('factor=none&access-policy=AccessPolicy/x')).toBe(0);
  expect(await found('factor=totp')).toEqual([]);
  for (const query of ['factor:not=any', 'factor=']) expectOutcome(await search(query), 400);
});

test('the facts of a member say which', async () => {
  expect(await factsOf(withKey.id)).toMatchObject({ factors: [], passkey: true, byProvider: false });
  expect(await factsOf(withApp.id)).toMatchObject({ factors: ['totp'], passkey: false });
  expect(await factsOf(plain.id)).toMatchObject({ factors: [], passkey: false });
});

test('what an account above projects has is known in each of them, also where it becomes a member later', async () => {
  const other = await createWorld();
  const made = await other.invite({ email: withApp.email, scope: 'server' });
  const answer = await callApi(other.owner.bearer, 'GET', '/fhir/R4/ProjectMembership?factor=any');
  expect(answer.body.entry?.map((entry: Answer['body']) => entry.resource.id)).toEqual([made.id]);
});

test('a factor that is reset is gone from the list at once, and with the membership that comes back it is there again', async () => {
  const own = await acceptedMember(world);
  await enrollTotp(asOwner(own));
  expect(await found('factor=any')).toContain(own.id);
  await world.call('POST', `/members/${own.id}/mfa/reset`, { body: {} });
  expect(await found('factor=any')).not.toContain(own.id);
  expect(await found('factor=none')).toContain(own.id);
});

test('what was there before it was kept is nobody’s answer until the sweep has looked, but the facts are right', async () => {
  await db().execute(sql`update membership_key set factors = null where project_id = ${world.projectId}`);
  expect(await found('factor=none')).toEqual([]);
  expect(await factsOf(withKey.id)).toMatchObject({ passkey: true });
  await noteFactors(world.projectId);
  expect(await found('factor=passkey')).toEqual([withKey.id]);
});

test('of whom the project lets in by their organisation alone it says that', async () => {
  await setProject(world.projectId, { 'signInWays.Patient': 'provider' });
  const pat = await world.invite({ resourceType: 'Patient' });
  expect(await factsOf(pat.id)).toMatchObject({ byProvider: true });
  expect(await factsOf(plain.id)).toMatchObject({ byProvider: false });
});

test('nobody but an administrator asks', async () => {
  const bearer = await signIn(world.projectId, plain.id, `User/${plain.userId}`);
  const answer = await callApi(bearer, 'GET', '/fhir/R4/ProjectMembership?factor=any');
  expect([answer.status, answer.body.entry]).toEqual([403, undefined]);
});
