import { sql } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { newId } from '#lib/base/ids.ts';
import { dropOver } from '#lib/http/server/sweeper.ts';
import { scimGiven, scimGroup, scimGroupMember } from '#lib/infra/db/schema/scim.ts';
import { auditOf } from '#lib/testing/accounts.ts';
import { callApi, expectOutcome } from '#lib/testing/call-api.ts';
import { makeClient } from '#lib/testing/people.ts';
import { aUser, expectScimError, makeDirectory, patchOp } from '#lib/testing/scim.ts';
import { db } from '#lib/testing/set-up/own-db.ts';
import { createWorld, signIn, type World } from '#lib/testing/world.ts';

let world: World;
let policies: string[];

beforeAll(async () => {
  world = await createWorld();
  policies = [await aPolicy(world, 'Patient'), await aPolicy(world, 'Observation'), await aPolicy(world, 'Device')];
});

async function aPolicy(of: World, resourceType: string): Promise<string> {
  const body = { resourceType: 'AccessPolicy', name: `Of ${resourceType}`, resource: [{ resourceType }] };
  const made = await callApi(of.owner.bearer, 'POST', '/fhir/R4/AccessPolicy', { body });
  expect(made.status, made.text).toBe(201);
  return `AccessPolicy/${made.body.id}`;
}

async function connect(of = world) {
  const { body } = await of.call('POST', '/scim', { body: { name: 'Okta' } });
  const id = String(body.id);
  const scim = makeDirectory(`Bearer ${body.token}`);
  const patch = async (group: string, ...operations: Record<string, unknown>[]) =>
    scim('PATCH', `/Groups/${group}`, patchOp(...operations));
  return {
    id,
    scim,
    async group(...members: string[]): Promise<string> {
      const value = members.map((one) => ({ value: one }));
      const made = await scim('POST', '/Groups', { displayName: `G ${newId()}`, members: value });
      expect(made.status, made.text).toBe(201);
      return made.body.id;
    },
    map: (group: string, body: unknown, call: object = {}) =>
      of.call('PUT', `/scim/${id}/groups/${group}`, { body, ...call }),
    join: (group: string, value: string) => patch(group, { op: 'add', path: 'members', value: [{ value }] }),
    leave: (group: string, value: string) => patch(group, { op: 'remove', path: `members[value eq "${value}"]` }),
    async user(): Promise<string> {
      return bare((await scim('POST', '/Users', aUser())).body.id, of);
    },
  };
}

const entry = (policy: string, parameter?: object[]) => ({
  policy: { reference: policy },
  ...(parameter && { parameter }),
});
const gives = (...which: number[]) => ({ access: which.map((at) => entry(policies[at]!)) });

/** Without the default policy of the project: who has none reaches everything. */
async function bare(id: string, of = world): Promise<string> {
  const answer = await of.call('PATCH', `/members/${id}`, { body: [{ op: 'remove', path: '/accessPolicy' }] });
  expect(answer.status, answer.text).toBe(200);
  return id;
}

async function memberOf(id: string, of = world) {
  return (await of.call('GET', `/members/${id}`)).body;
}

async function accessOf(id: string, of = world): Promise<string[]> {
  const { access = [] } = await memberOf(id, of);
  return access.map((one: { policy: { reference: string } }) => one.policy.reference);
}

async function statusOf(id: string, type: string, of = world): Promise<number> {
  const { user } = await memberOf(id, of);
  return (await callApi(await signIn(of.projectId, id, user.reference), 'GET', `/fhir/R4/${type}`)).status;
}

test('membership in a group gives what the group is mapped to, at once, and leaving it takes exactly that away', async () => {
  const okta = await connect();
  const [user, group, other] = [await okta.user(), await okta.group(), await okta.group()];
  expect((await okta.map(group, gives(0, 1))).status).toBe(200);
  expect((await okta.map(other, gives(1, 2))).status).toBe(200);
  const { user: of } = await memberOf(user);
  const bearer = await signIn(world.projectId, user, of.reference);
  const ask = async (type: string) => (await callApi(bearer, 'GET', `/fhir/R4/${type}`)).status;
  await okta.join(group, user);
  expect([await ask('Patient'), await ask('Observation'), await ask('Device')]).toEqual([200, 200, 403]);
  await okta.join(other, user);
  expect(await accessOf(user)).toEqual([policies[0], policies[1], policies[2]]);
  await okta.leave(group, user);
  expect((await accessOf(user)).sort()).toEqual([policies[1], policies[2]].sort());
  expect([await ask('Patient'), await ask('Observation')]).toEqual([403, 200]);
  expect(await auditOf(world.projectId, `ProjectMembership/${user}`)).toEqual(
    expect.arrayContaining(['membership.create', 'membership.update']),
  );
});

test('what was given by hand stays, also where a group gives it too', async () => {
  const okta = await connect();
  const [user, group] = [await okta.user(), await okta.group()];
  const byHand = await world.call('PATCH', `/members/${user}`, {
    body: [{ op: 'add', path: '/access', value: [entry(policies[0]!), entry(policies[2]!)] }],
  });
  expect(byHand.status, byHand.text).toBe(200);
  await okta.map(group, gives(0, 1));
  await okta.join(group, user);
  expect(await accessOf(user)).toEqual([policies[0], policies[2], policies[1]]);
  await okta.leave(group, user);
  expect(await accessOf(user)).toEqual([policies[0], policies[2]]);
});

test('who had no policy and leaves the last group has nothing, and not everything; the hand of an administrator opens it', async () => {
  const okta = await connect();
  const [user, group] = [await okta.user(), await okta.group()];
  await okta.map(group, gives(0));
  expect(await statusOf(user, 'Device')).toBe(200);
  await okta.join(group, user);
  expect(await statusOf(user, 'Device')).toBe(403);
  await okta.leave(group, user);
  expect(await accessOf(user)).toEqual([`AccessPolicy/${okta.id}`]);
  expect([await statusOf(user, 'Device'), await statusOf(user, 'Patient')]).toEqual([403, 403]);
  await okta.join(group, user);
  expect(await accessOf(user)).toEqual([policies[0]]);
  await okta.leave(group, user);
  const opened = await world.call('PATCH', `/members/${user}`, { body: [{ op: 'remove', path: '/access' }] });
  expect(opened.status, opened.text).toBe(200);
  expect(await statusOf(user, 'Device')).toBe(200);
  const unmapped = await okta.group(user);
  await okta.leave(unmapped, user);
  expect(await statusOf(user, 'Device')).toBe(200);
});

test('a group makes administrators only where an administrator said so, and unmakes them', async () => {
  const okta = await connect();
  const [user, group] = [await okta.user(), await okta.group()];
  await okta.map(group, gives());
  await okta.join(group, user);
  expect((await memberOf(user)).admin).toBeUndefined();
  expect((await okta.map(group, { admin: true })).status).toBe(200);
  expect(await memberOf(user)).toMatchObject({ admin: true });
  const demoted = await world.call('PATCH', `/members/${user}`, { body: [{ op: 'remove', path: '/admin' }] });
  expectOutcome(demoted, 409);
  expect(demoted.body.issue[0].details.coding[0].code).toBe('directory');
  await okta.leave(group, user);
  expect((await memberOf(user)).admin).toBeUndefined();
});

test('an administrator without a policy has no less by a group', async () => {
  const okta = await connect();
  const group = await okta.group();
  await okta.map(group, gives(0));
  const id = await bare((await world.invite({ admin: true })).id);
  const before = await memberOf(id);
  await okta.join(group, id);
  expect(await accessOf(id)).toEqual(before.access ?? []);
  expect((await memberOf(id)).admin).toBe(true);
});

test('the last administrator stays one, whatever their directory says', async () => {
  const own = await createWorld();
  const okta = await connect(own);
  const group = await okta.group();
  await okta.map(group, { admin: true });
  const user = await okta.user();
  await okta.join(group, user);
  await db().execute(sql`update membership_key set admin = false
    where project_id = ${own.projectId} and membership_id = ${own.owner.membershipId}`);
  expectScimError(await okta.leave(group, user), 409);
  expectScimError(await okta.scim('DELETE', `/Groups/${group}`), 409);
  expect(await memberOf(user, own)).toMatchObject({ admin: true });
  await db().execute(sql`update membership_key set admin = true
    where project_id = ${own.projectId} and membership_id = ${own.owner.membershipId}`);
  expect((await okta.leave(group, user)).status).toBe(204);
});

test('what a group gives is not taken by hand, what else there is may be; and with the directory gone it is by hand', async () => {
  const okta = await connect();
  const [user, group] = [await okta.user(), await okta.group()];
  await okta.map(group, gives(0));
  await okta.join(group, user);
  const set = (value: unknown) =>
    world.call('PATCH', `/members/${user}`, { body: [{ op: 'add', path: '/access', value }] });
  expectOutcome(await set([entry(policies[1]!)]), 409);
  expect((await set([entry(policies[1]!), entry(policies[0]!)])).status).toBe(200);
  expect((await world.call('DELETE', `/scim/${okta.id}`)).status).toBe(200);
  expect((await accessOf(user)).sort()).toEqual([policies[0], policies[1]].sort());
  expect((await set([entry(policies[1]!)])).status).toBe(200);
  await dropOver();
  for (const table of [scimGroup, scimGroupMember, scimGiven]) {
    const rows = await db().select().from(table);
    expect(rows.filter((row) => Object.values(row).some((value) => value === okta.id || value === group))).toEqual([]);
  }
});

test('two directories: what one gives stays when the other takes it away', async () => {
  const [okta, entra] = [await connect(), await connect()];
  const user = await okta.user();
  const [one, two] = [await okta.group(), await entra.group()];
  await okta.map(one, gives(0));
  await entra.map(two, gives(0));
  await okta.join(one, user);
  await entra.join(two, user);
  expect(await accessOf(user)).toEqual([policies[0]]);
  await okta.leave(one, user);
  expect(await accessOf(user)).toEqual([policies[0]]);
  await entra.leave(two, user);
  expect(await accessOf(user)).toEqual([`AccessPolicy/${entra.id}`]);
});

test('fifty changes at once leave to everybody what their groups give', async () => {
  const okta = await connect();
  const users = [await okta.user(), await okta.user(), await okta.user()];
  const groups = [await okta.group(), await okta.group()];
  for (const [at, group] of groups.entries()) await okta.map(group, gives(at));
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, n) => {
      const [group, user] = [groups[n % 2]!, users[n % 3]!];
      return n % 4 === 3 ? okta.leave(group, user) : okta.join(group, user);
    }),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([204]));
  for (const user of users) {
    const { body } = await okta.scim('GET', `/Users/${user}`);
    const mine = (body.groups ?? []).map(({ value }: { value: string }) => policies[groups.indexOf(value)]);
    expect((await accessOf(user)).sort()).toEqual(mine.length > 0 ? mine.sort() : [`AccessPolicy/${okta.id}`]);
  }
});

test('changing what a group gives, and taking the group out, is felt by who is in it', async () => {
  const okta = await connect();
  const users = [await okta.user(), await okta.user()];
  const group = await okta.group(...users);
  await okta.map(group, gives(0));
  const patient = [{ name: 'patient', valueReference: { reference: 'Patient/x' } }];
  expect((await okta.map(group, { access: [entry(policies[1]!, patient)] })).status).toBe(200);
  for (const user of users) expect((await memberOf(user)).access).toEqual([entry(policies[1]!, patient)]);
  const { body } = await world.call('GET', `/scim/${okta.id}/groups`);
  expect(body).toEqual({
    total: 1,
    rows: [
      {
        id: group,
        displayName: expect.any(String),
        members: 2,
        access: [{ policy: { reference: policies[1], display: 'Of Observation' }, parameter: patient }],
        admin: false,
      },
    ],
  });
  const removal = await callApi(world.owner.bearer, 'DELETE', `/fhir/R4/${await onlyGiven(okta)}`);
  expectOutcome(removal, 409);
  expect((await okta.scim('DELETE', `/Groups/${group}`)).status).toBe(204);
  for (const user of users) expect(await accessOf(user)).toEqual([`AccessPolicy/${okta.id}`]);
});

/** A policy that no membership has, and a group gives. */
async function onlyGiven(okta: Awaited<ReturnType<typeof connect>>): Promise<string> {
  const policy = await aPolicy(world, 'Slot');
  const empty = await okta.group();
  expect((await okta.map(empty, { access: [entry(policy)] })).status).toBe(200);
  return policy;
}

describe('who may say what a group gives', () => {
  test('an administrator of the project, and not the directory, a member or another project', async () => {
    const okta = await connect();
    const group = await okta.group();
    const path = `/scim/${okta.id}/groups/${group}`;
    const plain = (await makeClient(world.projectId)).basic;
    expectOutcome(await world.call('PUT', path, { body: { admin: true }, bearer: plain }), 403);
    expectOutcome(await world.call('GET', `/scim/${okta.id}/groups`, { bearer: plain }), 403);
    const other = await createWorld();
    const theirs = await connect(other);
    expectOutcome(await other.call('PUT', `/scim/${theirs.id}/groups/${group}`, { body: {} }), 404);
    expectOutcome(await world.call('PUT', `/scim/${(await connect()).id}/groups/${group}`, { body: {} }), 404);
    expectOutcome(await world.call('GET', `/scim/${theirs.id}/groups`), 404);
    expectOutcome(await world.call('PUT', `/scim/${okta.id}/groups/x`, { body: {} }), 404);
    expectOutcome(await okta.map(group, { access: [entry(await aPolicy(other, 'Patient'))] }), 400);
    expectOutcome(await okta.map(group, { access: [entry('Patient/x')] }), 400);
    expectOutcome(await okta.map(group, { more: 1 }), 400, 'more');
    expectOutcome(await okta.map(group, { access: [entry(policies[0]!, [{ name: 'x' }])] }), 400);
    expectOutcome(
      await okta.map(group, { access: [entry(policies[0]!, [{ name: 'x', valueString: 'a\u0000' }])] }),
      400,
    );
  });

  test('a limited administrator lifts their own limit neither directly nor by a directory of theirs', async () => {
    const own = await createWorld();
    const [limit, wide] = [await aPolicy(own, 'Patient'), await aPolicy(own, 'Observation')];
    const limited = await own.invite({ admin: true, access: [entry(limit)] });
    const bearer = await signIn(own.projectId, limited.id, limited.user.reference);
    const okta = await connect(own);
    const mine = await okta.group(limited.id);
    expectOutcome(await okta.map(mine, { access: [entry(wide)] }, { bearer }), 403);
    const empty = await okta.group();
    expect((await okta.map(empty, { access: [entry(wide)] }, { bearer })).status).toBe(200);
    expectScimError(await okta.join(empty, limited.id), 403);
    expect(await accessOf(limited.id, own)).toEqual([limit]);
  });
});
