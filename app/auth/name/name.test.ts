import { beforeAll, expect, test } from 'vitest';
import { newId, SERVER_SCOPE } from '#lib/base/ids.ts';
import { auditOf } from '#lib/testing/accounts.ts';
import { callApi, expectOutcome } from '#lib/testing/call-api.ts';
import { makeLink } from '#lib/testing/links.ts';
import { addProject, changeMember, makeClient, makeOwner, type Owner, signIn } from '#lib/testing/people.ts';
import { aUser, makeDirectory } from '#lib/testing/scim.ts';
import { createWorld, signIn as enter, invitation } from '#lib/testing/world.ts';

let owner: Owner;
let second: { projectId: string; membershipId: string };
let bearer: string;

beforeAll(async () => {
  owner = await makeOwner();
  second = await addProject(owner.userId, owner.email);
  bearer = `Bearer ${(await signIn(owner)).access}`;
});

const put = (body: unknown, as: string | undefined = bearer) => callApi(as, 'PUT', '/auth/name', { body });
const read = async (as = bearer) => (await callApi(as, 'GET', '/auth/name')).body;
const ofProject = async ({ projectId, membershipId }: { projectId: string; membershipId: string }) => {
  const as = await enter(projectId, membershipId, `User/${owner.userId}`);
  const { body: me } = await callApi(as, 'GET', '/auth/me');
  const admin = await callApi(as, 'GET', `/admin/projects/${projectId}/members/${membershipId}`);
  return { me, admin: admin.body, as };
};

test('a person changes their name: their account, and the Practitioner of each project with the old name, say it; each project has it in its log', async () => {
  const before = await read();
  expect([before.firstName, before.lastName, before.places.length]).toEqual(['Ada', 'Stone', 2]);
  const { status, body } = await put({ firstName: '  Ada Maria ', lastName: 'Reyes', version: before.version });
  expect([status, body.firstName, body.lastName, body.version]).toEqual([
    200,
    'Ada Maria',
    'Reyes',
    before.version + 1,
  ]);
  expect(body.places.map(({ kept }: { kept?: string }) => kept)).toEqual([undefined, undefined]);
  for (const place of [owner, second]) {
    const { me, admin, as } = await ofProject(place);
    expect(me.profile.name).toEqual([{ given: ['Ada Maria'], family: 'Reyes' }]);
    expect(admin.profile.display).toBe('Ada Maria Reyes');
    const profile = admin.profile.reference;
    expect(me.profile.meta.author.reference).toBe(profile);
    expect(await auditOf(place.projectId, `ProjectMembership/${place.membershipId}`)).toContain('user.rename');
    expect(await auditOf(place.projectId, profile)).toContain('resource.update');
    const history = await callApi(as, 'GET', `/fhir/R4/${profile}/_history`);
    expect(history.body.total).toBe(2);
  }
  expect(await auditOf(SERVER_SCOPE, `User/${owner.userId}`)).toContain('user.rename');
});

test('the same again changes nothing; with an older version it is refused; twenty at once leave one name everywhere', async () => {
  const person = await makeOwner();
  const as = `Bearer ${(await signIn(person)).access}`;
  const before = await read(as);
  const same = { firstName: before.firstName, lastName: before.lastName };
  expect((await put(same, as)).body.version).toBe(before.version);
  const all = await Promise.all(
    Array.from({ length: 9 }, (_, n) => put({ firstName: `N${n}`, lastName: 'Race', version: before.version }, as)),
  );
  expect(all.map(({ status }) => status).sort()).toEqual([200, 412, 412, 412, 412, 412, 412, 412, 412]);
  expectOutcome(all.find(({ status }) => status === 412)!, 412, 'version');
  const after = await read(as);
  expect(after.version).toBe(before.version + 1);
  expect(after.places[0].kept).toBeUndefined();
  expectOutcome(await put(same, as), 429);
});

test('a record that says another name, one of a patient, and one that a directory keeps stay as they are', async () => {
  const person = await makeOwner();
  await callApi(undefined, 'POST', '/auth/verifyemail', {
    body: await makeLink({ kind: 'verify-email', userId: person.userId }),
  });
  const as = `Bearer ${(await signIn(person)).access}`;
  const world = await createWorld();
  const name = { firstName: 'Ada', lastName: 'Stone', email: person.email, scope: 'server', sendEmail: false };
  const other = await world.invite({ ...name, firstName: 'Adelheid' });
  const ill = await world.invite({ ...name, resourceType: 'Patient', forceNewMembership: true });
  const expected = [
    [person.membershipId, undefined],
    [other.id, 'differs'],
    [ill.id, 'record'],
  ];
  const toEntries = ({ places }: { places: Place[] }) =>
    new Map(places.map((place) => [place.membership, place.kept ?? undefined]));
  expect(toEntries(await read(as))).toEqual(new Map(expected as []));
  const { body } = await put({ firstName: 'Eve', lastName: 'Reyes' }, as);
  expect(toEntries(body)).toEqual(new Map(expected as []));
  const patient = await callApi(world.owner.bearer, 'GET', `/fhir/R4/${ill.profile.reference}`);
  expect(patient.body.name[0].given).toEqual(['Ada']);
  expect(await auditOf(world.projectId, `ProjectMembership/${ill.id}`)).toContain('user.rename');
  expect(await auditOf(world.projectId, ill.profile.reference)).not.toContain('resource.update');
});

test('whom a directory keeps, it names: their account has the new name, and their record the directory’s', async () => {
  const world = await createWorld();
  const connected = await world.call('POST', '/scim', { body: { name: 'Okta' } });
  const made = await makeDirectory(`Bearer ${connected.body.token}`)('POST', '/Users', aUser());
  expect(made.status, made.text).toBe(201);
  const { user, profile } = (await world.call('GET', `/members/${made.body.id}`)).body;
  const as = await enter(world.projectId, made.body.id, user.reference);
  const { body } = await put({ firstName: 'Eve', lastName: 'Reyes' }, as);
  expect([body.firstName, body.places.map(({ kept }: Place) => kept)]).toEqual(['Eve', ['directory']]);
  const record = await callApi(world.owner.bearer, 'GET', `/fhir/R4/${profile.reference}`);
  expect(record.body.name[0].given).toEqual(['Nora']);
});

type Place = { membership: string; kept?: string };

test('where somebody is shut out, their new name does not come', async () => {
  const person = await makeOwner();
  const as = `Bearer ${(await signIn(person)).access}`;
  const world = await createWorld();
  const member = await world.invite(invitation({ firstName: 'Ada', lastName: 'Stone', email: person.email }));
  await changeMember({ projectId: world.projectId, membershipId: member.id }, { active: false });
  expect((await put({ firstName: 'Eve', lastName: 'Reyes' }, as)).body.places).toHaveLength(1);
  const record = await callApi(world.owner.bearer, 'GET', `/fhir/R4/${member.profile.reference}`);
  expect(record.body.name[0].given).toEqual(['Ada']);
});

test('a name out of the bounds of registration is refused, and says which', async () => {
  const good = { firstName: 'Eve', lastName: 'Reyes' };
  for (const bad of ['', ' ', 'x'.repeat(129), 'a\nb', 'a\u202eb', 7, null, undefined]) {
    expectOutcome(await put({ ...good, firstName: bad }), 400, 'firstName');
    expectOutcome(await put({ ...good, lastName: bad }), 400, 'lastName');
  }
  for (const version of [0, -1, 1.5, '1']) expectOutcome(await put({ ...good, version }), 400, 'version');
  expectOutcome(await put({ ...good, email: 'x@example.com' }), 400);
});

test('a program, an app, a key, who acts for them, and nobody change no name', async () => {
  const client = await makeClient(owner.projectId, {}, { admin: true });
  const app = await signIn(owner, { clientId: newId() }).catch(() => undefined);
  const good = { firstName: 'Eve', lastName: 'Reyes' };
  expectOutcome(await put(good, client.basic), 403);
  if (app?.access) expectOutcome(await put(good, `Bearer ${app.access}`), 403);
  const behalf = { 'x-medplum-on-behalf-of': `ProjectMembership/${owner.membershipId}` };
  const acting = await callApi(client.basic, 'PUT', '/auth/name', { body: good, headers: behalf });
  expect(acting.status).toBe(403);
  expectOutcome(await callApi(undefined, 'PUT', '/auth/name', { body: good }), 401);
});
