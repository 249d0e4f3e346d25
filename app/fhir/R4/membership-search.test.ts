import { beforeAll, describe, expect, test } from 'vitest';
import { type Answer, callApi } from '#lib/testing/call-api.ts';
import { callFhir } from '#lib/testing/fhir/call-fhir.ts';
import { type Caller, type FhirProject, makeFhirProject } from '#lib/testing/fhir/fhir-project.ts';
import { anEmail, createWorld } from '#lib/testing/world.ts';

type Body = Answer['body'];

let project: FhirProject;
let admin: Caller;
beforeAll(async () => {
  project = await makeFhirProject();
  admin = project.admin;
});

async function search(path: string, caller = admin): Promise<Body> {
  const answer = await callFhir(caller, 'GET', path);
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}

function ids(bundle: Body, mode = 'match'): string[] {
  return (bundle.entry ?? [])
    .filter((entry: Body) => entry.search.mode === mode)
    .map((entry: Body) => entry.resource.id);
}

describe('ProjectMembership', () => {
  test.each([
    ['profile-type=ClientApplication', true],
    ['profile-type=Practitioner,ClientApplication', true],
    ['profile-type=Practitioner', false],
    ['profile-type%3Anot=ClientApplication,Bot', false],
    ['profile-type:not=Practitioner', true],
    ['profile-type=nonsense', false],
    ['admin=true', true],
    ['admin:not=true', false],
    ['active=true', true],
    ['active=false', false],
  ])('%s', async (query, found) => {
    const bundle = await search(`ProjectMembership?${query}&_count=1000`);
    expect(ids(bundle).includes(admin.membershipId)).toBe(found);
  });

  test('by user, by profile and with the profile included', async () => {
    const client = admin.profile;
    for (const query of [`user=${client}`, `profile=${client}`, `_id=${admin.membershipId}`]) {
      const bundle = await search(`ProjectMembership?${query}&_include=ProjectMembership:profile`);
      expect(ids(bundle)).toEqual([admin.membershipId]);
      expect(ids(bundle, 'include')).toEqual([client.split('/')[1]]);
    }
  });

  test('sorted by name, a person stands where their name does, whatever their address', async () => {
    const world = await createWorld();
    const people = { 'Zoë Abel': 'aa', 'Ödön Bor': 'zz', 'ann Cole': 'mm', 'Émile Dee': '00' };
    for (const [name, start] of Object.entries(people)) {
      const [firstName, lastName] = name.split(' ');
      await world.invite({ firstName, lastName, email: `${start}-${anEmail()}` });
    }
    const names = async (sort: string) => {
      const path = `/fhir/R4/ProjectMembership?profile-type=Practitioner&_sort=${sort}`;
      const { body } = await callApi(world.owner.bearer, 'GET', path);
      return body.entry.map((entry: Body) => entry.resource.profile.display);
    };
    const expected = ['ann Cole', 'Émile Dee', 'Ödön Bor', 'Olga Owner', 'Zoë Abel'];
    expect(await names('name')).toEqual(expected);
    expect(await names('-name')).toEqual(expected.toReversed());
  });

  test("a profile's new name is the member's: in the search, in the order, in what they are told of themselves", async () => {
    const world = await createWorld();
    const { profile } = (await callApi(world.owner.bearer, 'GET', '/auth/me')).body;
    const path = `/fhir/R4/Practitioner/${profile.id}`;
    const body = { ...profile, name: [{ given: ['Olga'], family: 'Married-Ångström' }] };
    expect((await callApi(world.owner.bearer, 'PUT', path, { body })).status).toBe(200);
    const found = async (query: string) => {
      const answer = await callApi(world.owner.bearer, 'GET', `/fhir/R4/ProjectMembership?${query}`);
      return answer.body.entry?.map((entry: Body) => entry.resource.profile.display);
    };
    expect(await found('name:contains=married')).toEqual(['Olga Married-Ångström']);
    expect(await found('name:contains=olga owner')).toBeUndefined();
    expect(await found('profile-type=Practitioner&_sort=name')).toEqual(['Olga Married-Ångström']);
    const me = (await callApi(world.owner.bearer, 'GET', '/auth/me')).body;
    expect(me.membership.profile.display).toBe('Olga Married-Ångström');
    // Nothing of the name changed: nothing follows.
    const versions = async () =>
      (await callApi(world.owner.bearer, 'GET', `/fhir/R4/ProjectMembership/${world.owner.membershipId}/_history`)).body
        .total;
    const before = await versions();
    await callApi(world.owner.bearer, 'PUT', path, { body: { ...body, active: true } });
    expect(await versions()).toBe(before);
  });

  test("a client's and a bot's new name, too", async () => {
    for (const resourceType of ['ClientApplication', 'Bot']) {
      const made = (await callFhir(admin, 'POST', resourceType, { body: { resourceType, name: 'Before' } })).body;
      await callFhir(admin, 'PUT', `${resourceType}/${made.id}`, { body: { ...made, name: 'After' } });
      const bundle = await search(`ProjectMembership?profile=${resourceType}/${made.id}`);
      const { user, profile } = bundle.entry[0].resource;
      expect([user.display, profile.display]).toEqual(['After', 'After']);
    }
  });

  test('403 for who is no administrator, by GET and by POST', async () => {
    const member = await project.member();
    expect((await callFhir(member, 'GET', 'ProjectMembership')).status).toBe(403);
    expect((await callFhir(member, 'POST', 'ProjectMembership/_search')).status).toBe(403);
    expect((await callFhir(member, 'GET', `ProjectMembership/${member.membershipId}`)).status).toBe(403);
  });
});
