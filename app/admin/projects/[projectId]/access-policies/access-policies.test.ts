import { expect, test } from 'vitest';
import type { AccessPolicyRow } from '#lib/protocol/answers/access-policies.ts';
import { callApi, expectOutcome } from '#lib/testing/call-api.ts';
import { createWorld, type World } from '#lib/testing/world.ts';

async function makePolicy(world: World, body: object): Promise<string> {
  const policy = { resourceType: 'AccessPolicy', ...body };
  const answer = await callApi(world.owner.bearer, 'POST', '/fhir/R4/AccessPolicy', { body: policy });
  expect(answer.status, answer.text).toBe(201);
  return answer.body.id;
}

test('200: policies are listed by name with what they give, how many memberships name them, and whether new members get them', async () => {
  const world = await createWorld();
  const ward = await makePolicy(world, {
    name: 'Ward, east',
    resource: [
      { resourceType: 'Patient', readonly: true },
      { resourceType: 'Task', criteria: 'Task?status=draft' },
    ],
  });
  await world.invite({ access: [{ policy: { reference: `AccessPolicy/${ward}` } }] });
  await world.invite({ accessPolicy: { reference: `AccessPolicy/${ward}` } });
  const all = await world.call('GET', '/access-policies');
  const rows: AccessPolicyRow[] = all.body.rows;
  expect(all.body.total).toBe(rows.length);
  expect(rows.map(({ name }) => name)).toEqual(rows.map(({ name }) => name).toSorted());
  expect(rows.find(({ id }) => id === ward)).toMatchObject({
    name: 'Ward, east',
    gives: 'Changes Task. Reads Patient. 1 of 2 rules with criteria',
    rules: 2,
    members: 2,
    isDefault: false,
  });
  expect(rows.some(({ isDefault }) => isDefault)).toBe(true);
  const found = await world.call('GET', '/access-policies?name=ard,%20ea');
  expect(found.body).toMatchObject({ total: 1, rows: [{ id: ward }] });
  const second = await world.call('GET', '/access-policies?_count=1&_offset=1');
  expect(second.body).toMatchObject({ total: rows.length, rows: [{ id: rows[1]!.id }] });
});

test('400: what is not asked like this is refused by name', async () => {
  const world = await createWorld();
  expectOutcome(await world.call('GET', '/access-policies?_count=51'), 400, '_count');
  expectOutcome(await world.call('GET', '/access-policies?_offset=-1'), 400, '_offset');
  expectOutcome(await world.call('GET', '/access-policies?nom=x'), 400);
});

test('401, 403, 404: nobody, who is no administrator, and of another project', async () => {
  const [world, other] = await Promise.all([createWorld(), createWorld()]);
  expectOutcome(await world.call('GET', '/access-policies', { bearer: null }), 401);
  expect([403, 404]).toContain((await world.call('GET', '/access-policies', { bearer: other.owner.bearer })).status);
});

test('409: a policy that memberships name is not deleted, and they are named; one that nobody has is', async () => {
  const world = await createWorld();
  const id = await makePolicy(world, { name: 'Used', resource: [{ resourceType: 'Patient' }] });
  const member = await world.invite({ accessPolicy: { reference: `AccessPolicy/${id}` } });
  const used = await callApi(world.owner.bearer, 'DELETE', `/fhir/R4/AccessPolicy/${id}`);
  expectOutcome(used, 409);
  expect(used.text).toContain(`ProjectMembership/${member.id}`);
  const free = await makePolicy(world, { name: 'Free' });
  expect((await callApi(world.owner.bearer, 'DELETE', `/fhir/R4/AccessPolicy/${free}`)).status).toBe(200);
});

test('200: the vocabulary of a type has what a save takes, and nothing that it refuses', async () => {
  const world = await createWorld();
  const { body } = await world.call('GET', '/access-policies/vocabulary?type=Observation');
  expect(body.types).toContain('Patient');
  expect(body.parameters).toEqual(expect.arrayContaining(['_compartment', 'code', 'subject', 'value-quantity']));
  expect(body.fields).toEqual(expect.arrayContaining(['note', 'value']));
  expect(body.fields).not.toContain('id');
  const criteria = body.parameters.map((code: string) => `Observation?${code}=%it`);
  const rules = criteria.map((text: string) => ({ resourceType: 'Observation', criteria: text, readonly: true }));
  rules.push({ resourceType: 'Observation', readonly: true, hiddenFields: body.fields });
  await makePolicy(world, { name: 'All of it', resource: rules });
  expectOutcome(await world.call('GET', '/access-policies/vocabulary?type=Nothing'), 400, 'type');
});
