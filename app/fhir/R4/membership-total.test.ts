import { beforeAll, expect, test } from 'vitest';
import { watchStatements } from '#lib/infra/db/client.ts';
import { callApi } from '#lib/testing/call-api.ts';
import { makeClient } from '#lib/testing/people.ts';
import { createWorld, type World } from '#lib/testing/world.ts';

let world: World;

beforeAll(async () => {
  world = await createWorld();
  const stopped = await world.invite();
  await world.call('PATCH', `/members/${stopped.id}`, { body: [{ op: 'add', path: '/active', value: false }] });
  await world.invite({ admin: true });
  await world.invite({ resourceType: 'Patient' });
  await world.invite({ resourceType: 'Patient', membership: { admin: false } });
  await makeClient(world.projectId, {}, { admin: true });
});

async function search(query: string) {
  const texts: string[] = [];
  const stop = watchStatements((text) => texts.push(text));
  const { status, body, text } = await callApi(world.owner.bearer, 'GET', `/fhir/R4/ProjectMembership?${query}`);
  stop();
  expect(status, text).toBe(200);
  return {
    total: body.total,
    found: body.entry?.length ?? 0,
    counted: texts.some((sql) => sql.includes('member_count')),
  };
}

test.each([
  '',
  'profile-type=Practitioner',
  'profile-type=Patient,ClientApplication',
  'profile-type:not=ClientApplication,Bot',
  'profile-type=practitioner',
  'active=false',
  'active:not=false',
  'admin=true&active=true',
  'admin=false',
  'admin:not=true&profile-type:not=Bot',
  'status=invited',
  'status=deactivated,active&profile-type=Practitioner',
  'status=invited&status=active',
])('the total of %s is told by the counters, and is as many as are found', async (query) => {
  const { found } = await search(`${query}&_count=1000`);
  const one = await search(`${query}&_count=1&_total=accurate`);
  const none = await search(`${query}&_summary=count`);
  expect([one.total, none.total]).toEqual([found, found]);
  expect(none.counted).toBe(true);
});

test.each([
  'admin=true&_id=x',
  'name=ann',
  'profile-type=|Patient',
  'active:missing=false',
  'profile-type:missing=true',
])('%s asks for more than members are counted by: they are found', async (query) => {
  const { found } = await search(`${query}&_count=1000`);
  const { total, counted } = await search(`${query}&_summary=count`);
  expect([total, counted]).toEqual([found, false]);
});
