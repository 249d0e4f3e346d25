import { eq, sql } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { newId, SERVER_SCOPE } from '#lib/base/ids.ts';
import { credential } from '#lib/infra/db/schema/identity.ts';
import { mail } from '#lib/infra/db/schema/operations.ts';
import { passkey } from '#lib/infra/db/schema/passkey.ts';
import { auditOf } from '#lib/testing/accounts.ts';
import { callApi } from '#lib/testing/call-api.ts';
import { makeClient, makeOwner, type TestClient } from '#lib/testing/people.ts';
import { aUser, expectScimError, makeDirectory, patchOp } from '#lib/testing/scim.ts';
import { tellStanding } from '#lib/testing/set-up/check-standing.ts';
import { db } from '#lib/testing/set-up/own-db.ts';
import { skipOnCluster } from '#lib/testing/set-up/skip-on-cluster.ts';
import { anEmail, createWorld, signIn, type World } from '#lib/testing/world.ts';

let world: World;
let client: TestClient;
let scim: ReturnType<typeof makeDirectory>;

beforeAll(async () => {
  world = await createWorld();
  client = await makeClient(world.projectId, { name: 'Directory' }, { admin: true });
  scim = makeDirectory(client.basic);
});

const byName = (name: string) => `/Users?filter=${encodeURIComponent(`userName eq "${name}"`)}`;

async function add(fields: Record<string, unknown> = {}) {
  const answer = await scim('POST', '/Users', aUser(fields));
  expect(answer.status, answer.text).toBe(201);
  return answer.body;
}

async function memberOf(id: string) {
  return (await world.call('GET', `/members/${id}`)).body;
}

async function recordOf(id: string) {
  const { profile } = await memberOf(id);
  return (await callApi(world.owner.bearer, 'GET', `/fhir/R4/${profile.reference}`)).body;
}

test('as Okta does it: looked for, made, read, changed as a whole, set inactive and active again, taken out', async () => {
  const user = aUser();
  const name = String(user.userName);
  expect((await scim('GET', `${byName(name)}&startIndex=1&count=100`)).body).toEqual({
    schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
    totalResults: 0,
    startIndex: 1,
    itemsPerPage: 0,
    Resources: [],
  });
  const made = await scim('POST', '/Users', user);
  expect(made.status, made.text).toBe(201);
  const { id } = made.body;
  const location = `http://localhost:3000/scim/v2/Users/${id}`;
  expect(made.headers.get('location')?.endsWith(`/scim/v2/Users/${id}`), location).toBe(true);
  expect(made.body).toEqual({
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
    id,
    externalId: user.externalId,
    userName: name,
    name: { formatted: 'Nora Field', familyName: 'Field', givenName: 'Nora' },
    displayName: 'Nora Field',
    userType: 'Practitioner',
    active: true,
    emails: [{ value: name, type: 'work', primary: true }],
    meta: {
      resourceType: 'User',
      created: expect.any(String),
      lastModified: expect.any(String),
      location: made.headers.get('location'),
      version: made.headers.get('etag'),
    },
  });
  expect(await memberOf(id)).toMatchObject({
    userName: name,
    externalId: user.externalId,
    profile: { display: 'Nora Field' },
    invitedBy: { reference: client.profile },
  });
  expect(await db().select().from(mail).where(eq(mail.membershipId, id))).toEqual([]);
  expect((await scim('GET', byName(name.toUpperCase()))).body).toMatchObject({ totalResults: 1, Resources: [{ id }] });
  expect((await scim('GET', `/Users/${id}`)).body).toEqual(made.body);

  const bearer = await signIn(world.projectId, id, (await memberOf(id)).user.reference);
  expect((await callApi(bearer, 'GET', '/auth/me')).status).toBe(200);
  const off = await scim('PUT', `/Users/${id}`, {
    ...made.body,
    name: { givenName: 'Nora', familyName: 'Fielding', honorificPrefix: 'Dr' },
    displayName: 'Nora Fielding',
    active: false,
  });
  expect(off.body).toMatchObject({
    active: false,
    displayName: 'Nora Fielding',
    name: { formatted: 'Nora Fielding', familyName: 'Fielding', honorificPrefix: 'Dr' },
  });
  expect((await callApi(bearer, 'GET', '/auth/me')).status).toBe(401);
  expect(await memberOf(id)).toMatchObject({ active: false, profile: { display: 'Nora Fielding' } });
  expect((await scim('PUT', `/Users/${id}`, { ...off.body, active: true })).body.active).toBe(true);
  expect((await memberOf(id)).active).toBeUndefined();

  const { profile } = await memberOf(id);
  expect((await scim('DELETE', `/Users/${id}`)).status).toBe(204);
  expectScimError(await scim('GET', `/Users/${id}`), 404);
  expectScimError(await scim('DELETE', `/Users/${id}`), 404);
  expect((await scim('GET', byName(name))).body.totalResults).toBe(0);
  expect((await callApi(world.owner.bearer, 'GET', `/fhir/R4/${profile.reference}`)).status).toBe(200);
  expect(await auditOf(world.projectId, `ProjectMembership/${id}`)).toEqual(
    expect.arrayContaining(['membership.create', 'membership.update', 'membership.delete']),
  );
  expect((await scim('POST', '/Users', user)).status).toBe(201);
});

test('as Entra does it: capitalised names, booleans as text, values by filtered paths, and without a path', async () => {
  const name = anEmail();
  const made = await scim('POST', '/Users', {
    schemas: [
      'urn:ietf:params:scim:schemas:core:2.0:User',
      'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User',
    ],
    externalId: newId(),
    userName: name,
    active: true,
    displayName: 'Ola Berg',
    emails: [{ primary: true, type: 'work', value: name }],
    meta: { resourceType: 'User' },
    name: { formatted: 'Ola Berg', familyName: 'Berg', givenName: 'Ola' },
    title: 'Nurse',
    'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User': { department: 'ER' },
  });
  expect(made.status, made.text).toBe(201);
  const path = `/Users/${made.body.id}`;
  const patch = async (...operations: Record<string, unknown>[]) => {
    const answer = await scim('PATCH', path, patchOp(...operations));
    expect(answer.status, answer.text).toBe(200);
    return answer.body;
  };
  const [work, other] = [anEmail(), anEmail()];
  expect(
    await patch(
      { op: 'Replace', path: 'emails[type eq "work"].value', value: work },
      { op: 'Replace', path: 'name.familyName', value: 'Berger' },
      { op: 'Add', path: 'phoneNumbers[type eq "mobile"].value', value: '+47 1' },
      { op: 'Replace', path: 'title', value: 'Head nurse' },
      { op: 'Add', path: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department', value: 'ICU' },
    ),
  ).toMatchObject({
    emails: [{ value: work, type: 'work', primary: true }],
    phoneNumbers: [{ value: '+47 1', type: 'mobile', primary: true }],
    name: { formatted: 'Ola Berger', givenName: 'Ola', familyName: 'Berger' },
    displayName: 'Ola Berger',
  });
  expect(
    await patch({
      op: 'replace',
      value: { userName: other, 'name.givenName': 'Olav', 'emails[type eq "work"].value': other },
    }),
  ).toMatchObject({ userName: other, name: { givenName: 'Olav' }, emails: [{ value: other }] });
  expect((await patch({ op: 'Replace', path: 'active', value: 'False' })).active).toBe(false);
  expect((await memberOf(made.body.id)).active).toBe(false);
  expect((await patch({ op: 'Replace', path: 'Active', value: 'True' })).active).toBe(true);
  expect((await patch({ op: 'Remove', path: 'phoneNumbers[type eq "mobile"]' })).phoneNumbers).toBeUndefined();
  expect((await recordOf(made.body.id)).telecom).toEqual([{ system: 'email', use: 'work', value: other }]);
  expect((await scim('DELETE', path)).status).toBe(204);
});

describe('who is there already', () => {
  test('is a conflict with a name, by userName whatever its case, by address and by externalId', async () => {
    const user = await add();
    expectScimError(await scim('POST', '/Users', aUser({ userName: user.userName.toUpperCase() })), 409, 'uniqueness');
    expectScimError(await scim('POST', '/Users', aUser({ emails: user.emails })), 409, 'uniqueness');
    expectScimError(await scim('POST', '/Users', aUser({ externalId: user.externalId })), 409, 'uniqueness');
    const other = await add();
    const rename = patchOp({ op: 'replace', path: 'userName', value: user.userName });
    expectScimError(await scim('PATCH', `/Users/${other.id}`, rename), 409, 'uniqueness');
    const take = patchOp({ op: 'replace', path: 'externalId', value: user.externalId });
    expectScimError(await scim('PATCH', `/Users/${other.id}`, take), 409, 'uniqueness');
  });

  test('of two at once with one userName one is made', async () => {
    const userName = `two.${newId().slice(-8)}`;
    const both = await Promise.all([1, 2].map(() => scim('POST', '/Users', aUser({ userName }))));
    expect(both.map(({ status }) => status).sort()).toEqual([201, 409]);
  });

  test('who was invited by hand is found by their address, and is kept as they are', async () => {
    const email = anEmail();
    const member = await world.invite({ email, externalId: undefined });
    const found = await scim('GET', byName(email));
    expect(found.body).toMatchObject({ totalResults: 1, Resources: [{ id: member.id, userName: email }] });
    const externalId = newId();
    const linked = await scim(
      'PATCH',
      `/Users/${member.id}`,
      patchOp({ op: 'add', path: 'externalId', value: externalId }),
    );
    expect(linked.body).toMatchObject({ externalId, userName: email });
    expect((await memberOf(member.id)).userName).toBeUndefined();
  });
});

describe('what keeps a project', () => {
  test('its owner and its last administrator are neither set inactive nor taken out', async () => {
    const own = await createWorld();
    const directory = makeDirectory((await makeClient(own.projectId, {}, { admin: true })).basic);
    const path = `/Users/${own.owner.membershipId}`;
    const off = patchOp({ op: 'replace', path: 'active', value: false });
    expectScimError(await directory('PATCH', path, off), 409);
    expectScimError(await directory('DELETE', path), 400, 'mutability');
    expect((await directory('GET', path)).body.active).toBe(true);
  });

  test('no token sees or changes another project, and only an administrator’s is good at all', async () => {
    const other = await createWorld();
    const theirs = makeDirectory((await makeClient(other.projectId, {}, { admin: true })).basic);
    const user = await add();
    expectScimError(await theirs('GET', `/Users/${user.id}`), 404);
    expectScimError(await theirs('PUT', `/Users/${user.id}`, aUser()), 404);
    expectScimError(
      await theirs('PATCH', `/Users/${user.id}`, patchOp({ op: 'replace', path: 'active', value: false })),
      404,
    );
    expectScimError(await theirs('DELETE', `/Users/${user.id}`), 404);
    expect((await theirs('GET', byName(user.userName))).body.totalResults).toBe(0);
    expect((await theirs('GET', '/Users')).body.Resources).toMatchObject([{ id: other.owner.membershipId }]);
    expect(
      (await theirs('POST', '/Users', aUser({ userName: user.userName, externalId: user.externalId }))).status,
    ).toBe(201);
    const plain = makeDirectory((await makeClient(world.projectId)).basic);
    expectScimError(await plain('GET', '/Users'), 403);
    expectScimError(await plain('POST', '/Users', aUser()), 403);
    const nobody = await callApi(undefined, 'GET', '/scim/v2/Users');
    expectScimError(nobody, 401);
    expect(nobody.headers.get('www-authenticate')).toMatch(/^Bearer /);
  });

  test('programs are not people: they are neither listed nor read', async () => {
    expectScimError(await scim('GET', `/Users/${client.membershipId}`), 404);
    expectScimError(await scim('DELETE', `/Users/${client.membershipId}`), 404);
    const all = await scim('GET', '/Users?count=200');
    expect(all.body.Resources.map((user: { id: string }) => user.id)).not.toContain(client.membershipId);
  });
});

test('a version that was seen: 304 for who has it, 412 for a change on another', async () => {
  const user = await add();
  const { version } = user.meta;
  const path = `/Users/${user.id}`;
  const same = await scim('GET', path, undefined, { 'if-none-match': version });
  expect([same.status, same.text, same.headers.get('etag')]).toEqual([304, '', version]);
  const rename = patchOp({ op: 'replace', path: 'name.givenName', value: 'Nell' });
  const renamed = await scim('PATCH', path, rename, { 'if-match': version });
  expect(renamed.body.meta.version).not.toBe(version);
  expect((await scim('GET', path, undefined, { 'if-none-match': version })).status).toBe(200);
  for (const [method, body] of [
    ['PATCH', rename],
    ['PUT', user],
    ['DELETE', undefined],
  ] as const) {
    expectScimError(await scim(method, path, body, { 'if-match': version }), 412);
  }
  expect((await scim('DELETE', path, undefined, { 'if-match': renamed.body.meta.version })).status).toBe(204);
});

test('who has no address has an account by their name alone, until they are given one', async () => {
  const userName = `k${newId().slice(-10)}`;
  const user = await add({ userName, emails: undefined, externalId: undefined });
  expect(user).toMatchObject({ userName });
  expect((await scim('GET', byName(userName))).body.Resources).toMatchObject([{ id: user.id }]);
  const value = anEmail();
  const given = await scim('PATCH', `/Users/${user.id}`, patchOp({ op: 'add', path: 'emails', value: { value } }));
  expect(given.body.emails).toMatchObject([{ value, primary: true }]);
  expect((await memberOf(user.id)).user.display).toBe(value);
});

test('addresses that are taken away are gone from the record, and come back', async () => {
  const user = await add();
  const gone = await scim('PATCH', `/Users/${user.id}`, patchOp({ op: 'remove', path: 'emails' }));
  expect(gone.status, gone.text).toBe(200);
  expect(gone.body.emails).toBeUndefined();
  expect((await recordOf(user.id)).telecom).toBeUndefined();
  expect((await scim('PUT', `/Users/${user.id}`, user)).body.emails).toEqual(user.emails);
});

describe('a new address', () => {
  test('is that to sign in with while nobody has come; no mail is sent', async () => {
    const user = await add();
    const value = anEmail();
    await scim('PATCH', `/Users/${user.id}`, patchOp({ op: 'replace', path: 'emails[type eq "work"].value', value }));
    expect((await memberOf(user.id)).user.display).toBe(value);
    expect(await db().select().from(mail).where(eq(mail.membershipId, user.id))).toEqual([]);
  });

  const change = (id: string, value: string) =>
    scim('PATCH', `/Users/${id}`, patchOp({ op: 'replace', path: 'emails[type eq "work"].value', value }));

  test('stays in the record of who has come by a passkey', async () => {
    const user = await add();
    const { user: account } = await memberOf(user.id);
    const key = { credentialId: newId(), publicKey: Buffer.from('x'), counter: 0, transports: [], backedUp: false };
    const userId = account.reference.slice('User/'.length);
    await db()
      .insert(passkey)
      .values({ id: newId(), userId, userHandle: newId(), name: 'Phone', ...key });
    await tellStanding(world.projectId);
    await change(user.id, anEmail());
    expect((await memberOf(user.id)).user.display).toBe(account.display);
  });

  test('stays in the record of who comes at that very moment', async (context) => {
    skipOnCluster(context, 'waits');
    const user = await add();
    const { user: account } = await memberOf(user.id);
    const userId = account.reference.slice('User/'.length);
    let changed: Promise<unknown> | undefined;
    await db().transaction(async (tx) => {
      await tx.execute(sql`select from resource where project_id = ${SERVER_SCOPE} and id = ${userId} for update`);
      changed = change(user.id, anEmail());
      await expect
        .poll(
          async () =>
            (await tx.execute(sql`select from pg_locks where not granted and pid <> pg_backend_pid()`)).length,
        )
        .toBeGreaterThan(0);
      await tx.insert(credential).values({ userId, passwordHash: 'x' });
    });
    await changed;
    expect((await memberOf(user.id)).user.display).toBe(account.display);
    // Not by the way that tells how members stand.
    await db().delete(credential).where(eq(credential.userId, userId));
  });

  test('stays in the record where the account is the person’s own', async () => {
    const value = anEmail();
    const patch = patchOp({ op: 'replace', path: 'emails', value: [{ value, type: 'work', primary: true }] });
    const owner = await makeOwner();
    const directory = makeDirectory((await makeClient(owner.projectId, {}, { admin: true })).basic);
    const answer = await directory('PATCH', `/Users/${owner.membershipId}`, patch);
    expect(answer.body.emails).toEqual([{ value, type: 'work', primary: true }]);
    expect(answer.body.userName).toBe(owner.email);
  });
});

describe('what is asked for', () => {
  let own: World;
  let directory: ReturnType<typeof makeDirectory>;
  const ids: string[] = [];

  beforeAll(async () => {
    own = await createWorld();
    directory = makeDirectory((await makeClient(own.projectId, {}, { admin: true })).basic);
    for (const [givenName, familyName] of [
      ['Ada', 'Zell'],
      ['Bo', 'Young'],
      ['Cy', 'Xu'],
    ]) {
      const user = aUser({
        userName: `${givenName}.${familyName}`,
        name: { givenName, familyName },
        displayName: undefined,
      });
      ids.push((await directory('POST', '/Users', user)).body.id);
    }
    await directory('PATCH', `/Users/${ids[1]}`, patchOp({ op: 'replace', path: 'active', value: false }));
  });

  const found = async (filter: string) => {
    const answer = await directory('GET', `/Users?filter=${encodeURIComponent(filter)}`);
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body.totalResults).toBe(answer.body.Resources.length);
    return answer.body.Resources.map((user: { id: string }) => ids.indexOf(user.id)).filter((at: number) => at >= 0);
  };

  test.each([
    ['userName eq "ADA.zell"', [0]],
    ['urn:ietf:params:scim:schemas:core:2.0:User:userName sw "bo"', [1]],
    ['name.familyName co "U"', [1, 2]],
    ['not (name.familyName co "u") and userName co "."', [0]],
    ['active eq false', [1]],
    ['active eq "True" and (name.givenName eq "ada" or name.givenName eq "cy")', [0, 2]],
    ['emails[type eq "work" and value ew "@example.com"]', [0, 1, 2]],
    ['emails.value co "nobody"', []],
    ['externalId pr', [0, 1, 2]],
    ['phoneNumbers pr', []],
    ['userType eq "practitioner" and name.familyName gt "xz"', [0, 1]],
    ['displayName ne "Cy Xu" and userName co "."', [0, 1]],
    ['meta.lastModified gt "2020-01-01T00:00:00Z" and userName ew "xu"', [2]],
    ['meta.lastModified lt "2020-01-01T00:00:00Z"', []],
  ])('%s', async (filter, expected) => {
    expect(await found(filter)).toEqual(expected);
  });

  test.each([
    'userName',
    'userName eq',
    'nothing eq "x"',
    'active eq "maybe"',
    'active gt true',
    'userName eq 3',
    'meta.lastModified eq "yesterday"',
    'meta.lastModified gt "0000-01-01T00:00:00Z"',
    'meta.lastModified lt "+275760-01-01T00:00:00Z"',
    'name[givenName eq "x"]',
    `userName eq "${'x'.repeat(1100)}"`,
    Array.from({ length: 21 }, () => 'userName pr').join(' and '),
  ])('%s is no filter', async (filter) => {
    expectScimError(await directory('GET', `/Users?filter=${encodeURIComponent(filter)}`), 400, 'invalidFilter');
  });

  test('comes in pages, in the order that is asked for, and not more than 200 at once', async () => {
    const page = (query: string) => directory('GET', `/Users?${query}`);
    const names = async (query: string) =>
      (await page(query)).body.Resources.map((user: { userName: string }) => user.userName);
    expect(await names('sortBy=name.familyName&filter=userName%20co%20%22.%22%20and%20externalId%20pr')).toEqual([
      'Cy.Xu',
      'Bo.Young',
      'Ada.Zell',
    ]);
    expect(await names('sortBy=userName&sortOrder=descending&filter=externalId%20pr&count=1&startIndex=2')).toEqual([
      'Bo.Young',
    ]);
    expect((await page('count=0')).body).toMatchObject({ totalResults: 4, itemsPerPage: 0, Resources: [] });
    expect((await page('startIndex=0&count=2')).body).toMatchObject({
      totalResults: 4,
      startIndex: 1,
      itemsPerPage: 2,
    });
    expect((await page('startIndex=9')).body).toMatchObject({ totalResults: 4, startIndex: 9, Resources: [] });
    expect((await page('count=100000')).status).toBe(200);
    expectScimError(await page('count=x'), 400, 'invalidValue');
    expectScimError(await page('sortBy=emails'), 400, 'invalidValue');
    expectScimError(await page('startIndex=999999999'), 400, 'invalidValue');
  });

  test('is shown, or what is left out', async () => {
    const some = await directory('GET', `/Users/${ids[0]}?attributes=userName,name.givenName`);
    expect(some.body).toEqual({
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
      id: ids[0],
      userName: 'Ada.Zell',
      name: { givenName: 'Ada' },
    });
    const rest = await directory('GET', '/Users?count=1&startIndex=2&excludedAttributes=emails,meta.location');
    expect(rest.body.Resources[0]).toMatchObject({ userName: 'Ada.Zell', meta: { resourceType: 'User' } });
    expect(Object.keys(rest.body.Resources[0])).not.toContain('emails');
    expect(rest.body.Resources[0].meta.location).toBeUndefined();
  });
});

describe('what is wrong in a request is named', () => {
  test.each([
    [{ userName: '' }, 'userName'],
    [{ userName: undefined }, 'userName'],
    [{ name: undefined, displayName: 'Nora' }, 'name.givenName'],
    [{ emails: [{ value: 'nonsense' }] }, 'emails'],
    [{ active: 'perhaps' }, 'active'],
    [{ userType: 'Employee' }, 'userType'],
  ])('%j', async (fields, named) => {
    const answer = await scim('POST', '/Users', aUser(fields));
    expectScimError(answer, 400, 'invalidValue');
    expect(answer.body.detail).toContain(named);
  });

  test.each([
    [[{ op: 'replace', path: 'nothing', value: 1 }], 'invalidPath'],
    [[{ op: 'replace', path: 'name.nothing', value: 'x' }], 'invalidPath'],
    [[{ op: 'replace', path: '__proto__.polluted', value: 'x' }], 'invalidPath'],
    [[{ op: 'replace', path: 'id', value: 'x' }], 'mutability'],
    [[{ op: 'replace', path: 'userType', value: 'Patient' }], 'mutability'],
    [[{ op: 'replace', path: 'emails[type eq "home"]', value: { value: 'a@b.example' } }], 'noTarget'],
    [[{ op: 'replace', path: 'emails[type foo]', value: 'x' }], 'invalidFilter'],
    [[{ op: 'remove' }], 'noTarget'],
    [[{ op: 'replace', value: 'x' }], 'invalidValue'],
    [[{ op: 'move', path: 'userName', value: 'x' }], 'invalidSyntax'],
    [[], 'invalidSyntax'],
    [Array.from({ length: 101 }, () => ({ op: 'replace', path: 'active', value: true })), 'invalidSyntax'],
    [[{ op: 'remove', path: 'userName' }], 'invalidValue'],
  ])('%j', async (operations, scimType) => {
    const user = await add();
    expectScimError(await scim('PATCH', `/Users/${user.id}`, patchOp(...operations)), 400, scimType);
    expect((await scim('GET', `/Users/${user.id}`)).body).toEqual(user);
    expect(({} as { polluted?: string }).polluted).toBeUndefined();
  });

  test('an unknown path and a method that is none are told in SCIM’s own way', async () => {
    expectScimError(await scim('GET', '/Devices'), 404);
    expectScimError(await scim('PUT', '/Users', aUser()), 405);
    expectScimError(await scim('GET', '/Users/nonsense'), 404);
    expectScimError(await scim('POST', '/Users', 'x', { 'content-type': 'text/plain' }), 415);
  });
});

test('the service tells what it does, and each resource type and schema by its name', async () => {
  expect((await scim('GET', '/ServiceProviderConfig')).body).toMatchObject({
    patch: { supported: true },
    bulk: { supported: false },
    filter: { supported: true, maxResults: 200 },
    etag: { supported: true },
  });
  for (const [list, id] of [
    ['ResourceTypes', 'User'],
    ['Schemas', 'urn:ietf:params:scim:schemas:core:2.0:User'],
  ]) {
    const all = await scim('GET', `/${list}`);
    expect(all.body).toMatchObject({ totalResults: 2, Resources: [{ id }, {}] });
    expect((await scim('GET', `/${list}/${id}`)).body).toEqual(all.body.Resources[0]);
    expectScimError(await scim('GET', `/${list}/Device`), 404);
  }
});
