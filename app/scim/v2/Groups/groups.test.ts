import { sql } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { newId } from '#lib/base/ids.ts';
import { foldCounts } from '#lib/domain/standing/fold-counts.ts';
import { repairStanding } from '#lib/domain/standing/repair-standing.ts';
import { watchStatements } from '#lib/infra/db/client.ts';
import { GROUP_SCHEMA } from '#lib/protocol/scim/urns.ts';
import { callApi } from '#lib/testing/call-api.ts';
import { makeClient } from '#lib/testing/people.ts';
import { aUser, expectScimError, makeDirectory, patchOp } from '#lib/testing/scim.ts';
import { db } from '#lib/testing/set-up/own-db.ts';
import { createWorld, type World } from '#lib/testing/world.ts';

type Scim = ReturnType<typeof makeDirectory>;
let world: World;
let scim: Scim;
let ids: string[];

beforeAll(async () => {
  world = await createWorld();
  scim = await connect(world);
  ids = [];
  for (let n = 0; n < 4; n++) ids.push((await scim('POST', '/Users', aUser())).body.id);
});

async function connect(of: World): Promise<Scim> {
  const { body } = await of.call('POST', '/scim', { body: { name: 'Okta' } });
  return makeDirectory(`Bearer ${body.token}`);
}

const aGroup = (fields: Record<string, unknown> = {}) => ({
  schemas: [GROUP_SCHEMA],
  displayName: `Nurses ${newId().slice(-8)}`,
  ...fields,
});
const valuesOf = (...which: number[]) => which.map((at) => ({ value: ids[at], display: 'somebody' }));
const membersOf = (group: { members?: { value: string }[] }) => (group.members ?? []).map(({ value }) => value).sort();
const sorted = (...which: number[]) => which.map((at) => ids[at]!).sort();

async function add(fields: Record<string, unknown> = {}, by = scim) {
  const answer = await by('POST', '/Groups', aGroup(fields));
  expect(answer.status, answer.text).toBe(201);
  return answer.body;
}

const read = async (id: string, query = '') => (await scim('GET', `/Groups/${id}${query}`)).body;

test('as Okta does it: looked for, pushed with its members, renamed, members put in and out, taken out', async () => {
  const group = aGroup({ members: valuesOf(0, 1) });
  const filter = `/Groups?filter=${encodeURIComponent(`displayName eq "${group.displayName.toUpperCase()}"`)}`;
  expect((await scim('GET', `${filter}&startIndex=1&count=100`)).body.totalResults).toBe(0);
  const made = await scim('POST', '/Groups', group);
  expect(made.status, made.text).toBe(201);
  const { id } = made.body;
  const location = made.headers.get('location');
  expect(location?.endsWith(`/scim/v2/Groups/${id}`)).toBe(true);
  expect(made.body).toEqual({
    schemas: [GROUP_SCHEMA],
    id,
    displayName: group.displayName,
    members: sorted(0, 1).map((value) => ({
      value,
      $ref: expect.stringMatching(new RegExp(`/scim/v2/Users/${value}$`)),
      type: 'User',
    })),
    meta: {
      resourceType: 'Group',
      created: expect.any(String),
      lastModified: expect.any(String),
      location,
      version: made.headers.get('etag'),
    },
  });
  expect((await scim('GET', filter)).body).toMatchObject({ totalResults: 1, Resources: [made.body] });
  const rename = await scim('PATCH', `/Groups/${id}`, patchOp({ op: 'replace', value: { id, displayName: 'Ward 3' } }));
  expect([rename.status, rename.text]).toEqual([204, '']);
  expect(rename.headers.get('etag')).not.toBe(made.headers.get('etag'));
  const push = patchOp(
    { op: 'remove', path: `members[value eq "${ids[0]}"]` },
    { op: 'add', path: 'members', value: valuesOf(2, 3) },
  );
  expect((await scim('PATCH', `/Groups/${id}`, push)).status).toBe(204);
  const now = await read(id);
  expect([now.displayName, membersOf(now)]).toEqual(['Ward 3', sorted(1, 2, 3)]);
  const put = await scim('PUT', `/Groups/${id}`, { ...now, displayName: 'Ward 4', members: valuesOf(0) });
  expect([put.status, put.body.displayName, membersOf(put.body)]).toEqual([200, 'Ward 4', sorted(0)]);
  expect((await scim('DELETE', `/Groups/${id}`)).status).toBe(204);
  expectScimError(await scim('GET', `/Groups/${id}`), 404);
  expectScimError(await scim('DELETE', `/Groups/${id}`), 404);
  expect((await scim('GET', `/Users/${ids[0]}`)).body.groups).toBeUndefined();
});

test('as Entra does it: by externalId, without members, capitalised operations, removed by a list of values', async () => {
  const externalId = newId();
  const { id } = await add({ externalId });
  const found = await scim('GET', `/Groups?excludedAttributes=members&filter=externalId%20eq%20%22${externalId}%22`);
  expect(found.body).toMatchObject({ totalResults: 1, Resources: [{ id, externalId }] });
  const patch = async (...operations: Record<string, unknown>[]) => {
    const answer = await scim('PATCH', `/Groups/${id}`, patchOp(...operations));
    expect(answer.status, answer.text).toBe(204);
    return read(id);
  };
  const of = (...which: number[]) => valuesOf(...which).map(({ value }) => ({ $ref: null, value }));
  expect(membersOf(await patch({ op: 'Add', path: 'members', value: of(0, 1, 2) }))).toEqual(sorted(0, 1, 2));
  expect(membersOf(await patch({ op: 'Remove', path: 'members', value: of(0) }))).toEqual(sorted(1, 2));
  expect((await patch({ op: 'Replace', path: 'displayName', value: 'Doctors' })).displayName).toBe('Doctors');
  const query = `?excludedAttributes=members`;
  expect((await read(id, query)).members).toBeUndefined();
  expect(Object.keys(await read(id, '?attributes=displayName'))).toEqual(['schemas', 'id', 'displayName']);
  const member = encodeURIComponent(`id eq "${id}" and members[value eq "${ids[1]}"]`);
  expect((await scim('GET', `/Groups?filter=${member}`)).body.totalResults).toBe(1);
  const other = encodeURIComponent(`id eq "${id}" and members eq "${ids[0]}"`);
  expect((await scim('GET', `/Groups?filter=${other}`)).body.totalResults).toBe(0);
  expect(membersOf(await patch({ op: 'Remove', path: 'members' }))).toEqual([]);
});

test('a User says in which groups they are, as their directory sees it, and their version follows', async () => {
  const user = (await scim('POST', '/Users', aUser())).body;
  const { id } = await add({ displayName: 'Told', members: [{ value: user.id }] });
  const now = await scim('GET', `/Users/${user.id}`);
  const $ref = expect.stringMatching(new RegExp(`/scim/v2/Groups/${id}$`));
  expect(now.body.groups).toEqual([{ value: id, $ref, display: 'Told', type: 'direct' }]);
  expect(now.headers.get('etag')).not.toBe(user.meta.version);
  const same = await scim('PUT', `/Users/${user.id}`, now.body);
  expect(same.body.groups).toEqual(now.body.groups);
  const into = patchOp({ op: 'add', path: 'groups', value: [{ value: newId() }] });
  expectScimError(await scim('PATCH', `/Users/${user.id}`, into), 400, 'mutability');
  const other = await connect(world);
  expect((await other('GET', `/Users/${user.id}`)).body.groups).toBeUndefined();
  expect((await scim('GET', `/Users?filter=id%20eq%20%22${user.id}%22`)).body.Resources[0].groups).toHaveLength(1);
});

test('who is taken out of the project is in no group, and the group says another version', async () => {
  const user = (await scim('POST', '/Users', aUser())).body;
  const group = await add({ members: [{ value: user.id }, ...valuesOf(0)] });
  await scim('DELETE', `/Users/${user.id}`);
  const now = await read(group.id);
  expect(membersOf(now)).toEqual(sorted(0));
  expect(now.meta.version).not.toBe(group.meta.version);
});

test('versions: 304 for who has it, 412 for a change on another, and nothing changes nothing', async () => {
  const group = await add({ members: valuesOf(0) });
  const path = `/Groups/${group.id}`;
  const { version } = group.meta;
  expect((await scim('GET', path, undefined, { 'if-none-match': version })).status).toBe(304);
  const again = await scim('PATCH', path, patchOp({ op: 'add', path: 'members', value: valuesOf(0) }));
  expect(again.headers.get('etag')).toBe(version);
  const out = patchOp({ op: 'remove', path: `members[value eq "${ids[0]}" or value eq "${ids[1]}"]` });
  expect((await scim('PATCH', path, out, { 'if-match': version })).status).toBe(204);
  expect((await scim('GET', path, undefined, { 'if-none-match': version })).status).toBe(200);
  for (const [method, body] of [
    ['PATCH', out],
    ['PUT', group],
    ['DELETE', undefined],
  ] as const) {
    expectScimError(await scim(method, path, body, { 'if-match': version }), 412);
  }
  const shown = await scim(
    'PATCH',
    `${path}?attributes=displayName`,
    patchOp({ op: 'replace', value: { displayName: 'x1' } }),
  );
  expect([shown.status, shown.body.displayName]).toEqual([200, 'x1']);
});

test('pages, in the order of their names', async () => {
  const own = await createWorld();
  const directory = await connect(own);
  for (const name of ['b', 'A', 'c']) await add({ displayName: name }, directory);
  const page = async (query: string) => {
    const { body } = await directory('GET', `/Groups?${query}`);
    return [body.totalResults, body.Resources.map((group: { displayName: string }) => group.displayName)];
  };
  expect(await page('')).toEqual([3, ['A', 'b', 'c']]);
  expect(await page('startIndex=2&count=1')).toEqual([3, ['b']]);
  expect(await page('count=0')).toEqual([3, []]);
  expect(await page('sortBy=displayName&sortOrder=descending')).toEqual([3, ['c', 'b', 'A']]);
  expect(await page('sortBy=meta.lastModified')).toEqual([3, ['b', 'A', 'c']]);
  expect(await page(`filter=${encodeURIComponent('not (displayName sw "a") and externalId ne "x"')}`)).toEqual([
    2,
    ['b', 'c'],
  ]);
});

test('a thousand members are put in, told and taken out in as many statements as ten', async () => {
  const own = await createWorld();
  const directory = await connect(own);
  const all = await manyPeople(own.projectId, 1000);
  const count = async (run: () => Promise<unknown>) => {
    let n = 0;
    const stop = watchStatements((text) => {
      n += /scim_g|membership_key/.test(text) ? 1 : 0;
    });
    await run();
    stop();
    return n;
  };
  const few = await add({}, directory);
  const { id } = await add({}, directory);
  const put = (group: string, members: string[]) => async () => {
    const value = members.map((one) => ({ value: one }));
    const answer = await directory('PATCH', `/Groups/${group}`, patchOp({ op: 'add', path: 'members', value }));
    expect(answer.status, answer.text).toBe(204);
  };
  expect(await count(put(id, all))).toBe(await count(put(few.id, all.slice(0, 10))));
  expect((await directory('GET', `/Groups/${id}`)).body.members).toHaveLength(1000);
  const out = () => directory('PATCH', `/Groups/${id}`, patchOp({ op: 'remove', path: 'members' }));
  const outOfFew = () => directory('PATCH', `/Groups/${few.id}`, patchOp({ op: 'remove', path: 'members' }));
  expect(await count(out)).toBe(await count(outOfFew));
});

/** Keys of members, which is what a group looks for. */
async function manyPeople(projectId: string, count: number): Promise<string[]> {
  const rows = await db().execute<{ id: string }>(sql`
    insert into membership_key (project_id, membership_id, user_ref, profile_ref)
    select ${projectId}, gen_random_uuid(), 'User/' || gen_random_uuid(), 'Practitioner/' || gen_random_uuid()
    from generate_series(1, ${count}::int) returning membership_id::text as id`);
  await repairStanding(projectId);
  await foldCounts(projectId);
  return rows.map(({ id }) => id);
}

test('discovery names what is there', async () => {
  const types = await scim('GET', '/ResourceTypes');
  expect(types.body.Resources.map(({ name, endpoint }: Record<string, string>) => [name, endpoint])).toEqual([
    ['User', '/Users'],
    ['Group', '/Groups'],
  ]);
  expect((await scim('GET', '/ResourceTypes/Group')).body.schema).toBe(GROUP_SCHEMA);
  const schema = await scim('GET', `/Schemas/${GROUP_SCHEMA}`);
  expect(schema.body.attributes.map(({ name }: { name: string }) => name)).toEqual(['displayName', 'members']);
  const users = await scim('GET', '/Schemas/urn:ietf:params:scim:schemas:core:2.0:User');
  expect(users.body.attributes.at(-1)).toMatchObject({ name: 'groups', mutability: 'readOnly' });
});

describe('what is refused', () => {
  test('a name or externalId that another group of the directory has; two directories have what they like', async () => {
    const group = await add({ externalId: newId() });
    expectScimError(
      await scim('POST', '/Groups', aGroup({ displayName: group.displayName.toLowerCase() })),
      409,
      'uniqueness',
    );
    expectScimError(await scim('POST', '/Groups', aGroup({ externalId: group.externalId })), 409, 'uniqueness');
    const { id } = await add();
    const take = patchOp({ op: 'replace', path: 'displayName', value: group.displayName });
    expectScimError(await scim('PATCH', `/Groups/${id}`, take), 409, 'uniqueness');
    const other = await connect(world);
    expect((await other('POST', '/Groups', aGroup({ displayName: group.displayName }))).status).toBe(201);
    const both = await Promise.all([1, 2].map(() => scim('POST', '/Groups', aGroup({ displayName: 'Twice' }))));
    expect(both.map(({ status }) => status).sort()).toEqual([201, 409]);
  });

  test('members that are no people of the project, and what no database takes', async () => {
    const other = await createWorld();
    const program = await makeClient(world.projectId);
    for (const value of [newId(), other.owner.membershipId, program.membershipId, 'x']) {
      expectScimError(await scim('POST', '/Groups', aGroup({ members: [{ value }] })), 400, 'invalidValue');
    }
    for (const text of ['a\u0000b', '\ud800x']) {
      expectScimError(await scim('POST', '/Groups', aGroup({ displayName: text })), 400, 'invalidSyntax');
      expectScimError(await scim('POST', '/Groups', aGroup({ members: [{ value: text }] })), 400, 'invalidSyntax');
    }
    for (const displayName of ['', 'x'.repeat(257), 7, null]) {
      expectScimError(await scim('POST', '/Groups', aGroup({ displayName })), 400, 'invalidValue');
    }
    for (const members of ['x', [7], [{}], [{ value: ids[0], type: 'Group' }]]) {
      expectScimError(await scim('POST', '/Groups', aGroup({ members })), 400, 'invalidValue');
    }
    expectScimError(await scim('POST', '/Groups', { schemas: ['urn:x'], displayName: 'x' }), 400, 'invalidSyntax');
    for (const filter of ['displayName eq', 'userName eq "x"', 'members[value eq "x" and']) {
      const answer = await scim('GET', `/Groups?filter=${encodeURIComponent(filter)}`);
      expectScimError(answer, 400, 'invalidFilter');
    }
  });

  test('a patch that does not fit, as a whole', async () => {
    const { id } = await add({ members: valuesOf(0) });
    for (const [operation, scimType] of [
      [{ op: 'remove', path: 'displayName' }, 'invalidValue'],
      [{ op: 'add', path: 'members[value eq "x"]', value: 1 }, 'invalidPath'],
      [{ op: 'remove', path: 'members[display eq "x"]' }, 'invalidFilter'],
      [{ op: 'remove', path: 'members[' }, 'invalidPath'],
      [{ op: 'replace', path: 'nothing', value: 1 }, 'invalidPath'],
      [{ op: 'replace', path: 'id', value: newId() }, 'mutability'],
      [{ op: 'remove' }, 'noTarget'],
      [{ op: 'add', value: 'x' }, 'invalidValue'],
      [{ op: 'add', path: 'members', value: [{ value: newId() }] }, 'invalidValue'],
      [{ op: 'add', path: '__proto__', value: {} }, 'invalidPath'],
    ] as const) {
      const first = { op: 'remove', path: 'members' };
      expectScimError(await scim('PATCH', `/Groups/${id}`, patchOp(first, operation)), 400, scimType);
    }
    expect(membersOf(await read(id))).toEqual(sorted(0));
  });

  test('another project, another directory, and whoever is none', async () => {
    const { id } = await add({ members: valuesOf(0) });
    const other = await createWorld();
    for (const stranger of [await connect(other), await connect(world)]) {
      expectScimError(await stranger('GET', `/Groups/${id}`), 404);
      expectScimError(await stranger('PUT', `/Groups/${id}`, aGroup()), 404);
      expectScimError(await stranger('DELETE', `/Groups/${id}`), 404);
      expect((await stranger('GET', '/Groups')).body.totalResults).toBe(0);
    }
    const program = makeDirectory((await makeClient(world.projectId, {}, { admin: true })).basic);
    expect((await program('GET', `/Groups/${id}`)).status).toBe(200);
    expectScimError(await program('POST', '/Groups', aGroup()), 403);
    expectScimError(await program('DELETE', `/Groups/${id}`), 403);
    const plain = makeDirectory((await makeClient(world.projectId)).basic);
    expectScimError(await plain('GET', '/Groups'), 403);
    expectScimError(await callApi(undefined, 'GET', '/scim/v2/Groups'), 401);
    expectScimError(await scim('GET', '/Groups/x'), 404);
  });
});
