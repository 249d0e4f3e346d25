import { beforeAll, expect, test } from 'vitest';
import { callApi, expectOutcome } from '#lib/testing/call-api.ts';
import { createWorld, signIn, type World } from '#lib/testing/world.ts';

let world: World;
/** So that a hundred entries of it come to more than a member may have, and fifty do not. */
let large: string;
let patient: string;

const make = async (type: string, body: object): Promise<string> => {
  const made = await callApi(world.owner.bearer, 'POST', `/fhir/R4/${type}`, { body: { resourceType: type, ...body } });
  expect(made.status, made.text).toBe(201);
  return `${type}/${made.body.id}`;
};
const rules = (count: number) =>
  Array.from({ length: count }, () => ({
    resourceType: 'Patient',
    criteria: 'Patient?_id=%patient.id',
    readonly: true,
  }));

beforeAll(async () => {
  world = await createWorld();
  large = await make('AccessPolicy', { name: 'Large', resource: rules(150) });
  patient = await make('Patient', {});
});

const entries = (count: number, policy = large) =>
  Array.from({ length: count }, (_, at) => ({
    policy: { reference: policy },
    parameter: [
      { name: 'patient', valueReference: { reference: at === 0 ? patient : `Patient/${crypto.randomUUID()}` } },
    ],
  }));
const tooHeavy = (answer: Awaited<ReturnType<typeof callApi>>) => {
  expectOutcome(answer, 400, 'ProjectMembership.access');
  expect(answer.text).toContain('come to more than 2 MiB');
};

test('400 more than a member may have, whatever writes their access; what only takes away is let be', async () => {
  const access = entries(100);
  tooHeavy(
    await world.call('POST', '/invite', {
      body: {
        resourceType: 'Practitioner',
        firstName: 'A',
        lastName: 'B',
        email: `${crypto.randomUUID()}@x.test`,
        access,
      },
    }),
  );
  tooHeavy(await world.call('POST', '/client', { body: { name: 'Heavy', access } }));
  const { id } = await world.invite({ access: entries(50) });
  const patch = (value: object[]) => [{ op: 'replace', path: '/access', value }];
  tooHeavy(await world.call('PATCH', `/members/${id}`, { body: patch(access) }));
  tooHeavy(await world.call('POST', `/members/${id}/effect`, { body: { access } }));
  const { body } = await world.call('GET', `/members/${id}`);
  tooHeavy(await world.call('POST', `/members/${id}`, { body: { ...body, access } }));
  const patients = await Promise.all(Array.from({ length: 50 }, () => make('Patient', {})));
  const caregivers = { act: 'add', policy: large, parameter: 'patient', patients, members: [{ membership: id }] };
  const { body: outcome } = await world.call('POST', '/caregivers', { body: caregivers });
  expect(outcome.rows).toMatchObject([{ outcome: 'failed', code: 'invalid' }]);
  expect((await world.call('PATCH', `/members/${id}`, { body: patch(access.slice(0, 40)) })).status).toBe(200);
});

test('a policy that grows so far ends the session, is told before and after, and is mended by taking away', async () => {
  const policy = await make('AccessPolicy', { name: 'Grows', resource: rules(10) });
  const { id, user } = await world.invite({ access: entries(100, policy) });
  const other = await world.invite({ access: entries(1, policy) });
  const bearer = await signIn(world.projectId, id, user.reference);
  const read = () => callApi(bearer, 'GET', `/fhir/R4/${patient}`);
  expect((await read()).status).toBe(200);
  const policyId = policy.slice('AccessPolicy/'.length);
  const grown = { resourceType: 'AccessPolicy', id: policyId, name: 'Grows', resource: rules(150) };
  const effect = () => world.call('POST', `/access-policies/${policyId}/effect`, { body: grown });
  expect((await effect()).body).toMatchObject({ broken: 1, members: { count: 1, isExact: true } });
  const who = async () => (await world.call('GET', `/access/who?resource=${patient}&_count=200`)).body;
  const before = await who();
  expect(before.broken).toBe(0);
  expect((await callApi(world.owner.bearer, 'PUT', `/fhir/R4/${policy}`, { body: grown })).status).toBe(200);
  expect(await read()).toMatchObject({
    status: 400,
    text: expect.stringContaining('access of this membership is broken'),
  });
  const after = await who();
  expect(after.broken).toBe(1);
  const isOne = (answer: { members: { membership: string }[] }) =>
    [id, other.id].map((each) => answer.members.some(({ membership }) => membership === `ProjectMembership/${each}`));
  expect([isOne(before), isOne(after)]).toEqual([
    [true, true],
    [false, true],
  ]);
  expect((await world.call('GET', `/members/${id}/permissions`)).body.state).toBe('broken');
  const explained = await world.call('POST', '/access/explain', {
    body: { membership: `ProjectMembership/${id}`, interaction: 'read', resourceType: 'Patient' },
  });
  expect(explained.body).toMatchObject({
    outcome: 'deny',
    conjuncts: [{ name: 'policies', isMet: false, text: expect.stringContaining('more than 2 MiB') }],
  });
  // Before and after it is broken; and it is mended one entry after the other, too.
  expect((await effect()).body).toMatchObject({ broken: 1, unchanged: 1 });
  const { body } = await world.call('GET', `/members/${id}`);
  const less = (count: number) => [{ op: 'replace', path: '/access', value: body.access.slice(0, count) }];
  expect((await world.call('PATCH', `/members/${id}`, { body: less(99) })).status).toBe(200);
  expect((await read()).status).toBe(400);
  expect((await world.call('PATCH', `/members/${id}`, { body: less(50) })).status).toBe(200);
  expect((await read()).status).toBe(200);
});

test('400 a policy that nobody could have', async () => {
  const criteria = `Patient?general-practitioner=${Array.from({ length: 600 }, () => '%profile').join(',')}`;
  const resource = Array.from({ length: 45 }, () => ({ resourceType: 'Patient', criteria }));
  const body = { resourceType: 'AccessPolicy', name: 'Wide', resource };
  const made = await callApi(world.owner.bearer, 'POST', '/fhir/R4/AccessPolicy', { body });
  expectOutcome(made, 400, 'AccessPolicy.resource');
  expect(made.text).toContain('come to at most 2 MiB');
});

test('a member has 500 entries, each for a patient, and no more', async () => {
  const policy = await make('AccessPolicy', { name: 'One', resource: rules(1) });
  const { id, user } = await world.invite({ access: entries(500, policy) });
  const bearer = await signIn(world.projectId, id, user.reference);
  expect((await callApi(bearer, 'GET', '/fhir/R4/Patient')).body.entry).toHaveLength(1);
  const more = [{ op: 'add', path: '/access/-', value: entries(1, policy)[0] }];
  expectOutcome(await world.call('PATCH', `/members/${id}`, { body: more }), 400, 'ProjectMembership.access');
});
