import { beforeEach, expect, test } from 'vitest';
import { callApi, expectOutcome } from '#lib/testing/call-api.ts';
import { makeDirectory, patchOp } from '#lib/testing/scim.ts';
import { createSuperAdmin, createWorld, signIn, type World } from '#lib/testing/world.ts';

const ON = [{ name: 'requirePolicy', valueBoolean: true }];

let world: World;
/** A policy that opens patients, and one that opens everything. */
let [some, whole] = ['', ''];

const asOwner = (method: string, path: string, body?: object) => callApi(world.owner.bearer, method, path, { body });

async function makePolicy(resourceType: string): Promise<string> {
  const body = { resourceType: 'AccessPolicy', name: resourceType, resource: [{ resourceType }] };
  return `AccessPolicy/${(await asOwner('POST', '/fhir/R4/AccessPolicy', body)).body.id}`;
}

/** Somebody without any policy, before one is required. */
async function inviteBare(fields: object = {}) {
  const member = await world.invite({ accessPolicy: { reference: some }, ...fields });
  const body = [{ op: 'remove', path: '/accessPolicy' }];
  expect((await world.call('PATCH', `/members/${member.id}`, { body })).status).toBe(200);
  return { ...member, bearer: await signIn(world.projectId, member.id, member.user.reference) };
}

async function setRequired(setting: object[] = ON): Promise<void> {
  const { status, text } = await world.call('POST', '/settings', { body: setting });
  expect(status, text).toBe(200);
}

const accessOf = async (id: string) => {
  const { access = [], accessPolicy } = (await world.call('GET', `/members/${id}`)).body;
  return [accessPolicy, ...access.map(({ policy }: { policy: object }) => policy)].filter(Boolean);
};

/** A directory with a group that gives a policy, mapped by whoever has the token. */
async function connect(bearer: string | undefined, policy: string) {
  const { body } = await world.call('POST', '/scim', { body: { name: 'Okta' }, ...(bearer && { bearer }) });
  const scim = makeDirectory(`Bearer ${body.token}`);
  const made = await scim('POST', '/Groups', { displayName: 'Ward', members: [] });
  const access = [{ policy: { reference: policy } }];
  const path = `/scim/${body.id}/groups/${made.body.id}`;
  const mapped = await world.call('PUT', path, { body: { access, admin: false }, ...(bearer && { bearer }) });
  expect(mapped.status, mapped.text).toBeLessThan(300);
  const change = (op: object) => scim('PATCH', `/Groups/${made.body.id}`, patchOp(op as Record<string, unknown>));
  return {
    join: (value: string) => change({ op: 'add', path: 'members', value: [{ value }] }),
    leave: (value: string) => change({ op: 'remove', path: `members[value eq "${value}"]` }),
  };
}

beforeEach(async () => {
  world = await createWorld();
  [some, whole] = [await makePolicy('Patient'), await makePolicy('*')];
  const patch = [{ op: 'add', path: '/accessPolicy', value: { reference: whole } }];
  expect((await world.call('PATCH', `/members/${world.owner.membershipId}`, { body: patch })).status).toBe(200);
});

test('an administrator who has none gives themself none by a group of a directory of theirs', async () => {
  const bare = await inviteBare({ membership: { admin: true } });
  await setRequired();
  const group = await connect(bare.bearer, whole);
  const joined = await group.join(bare.id);
  expect(joined.status, joined.text).toBe(403);
  expect(await accessOf(bare.id)).toEqual([]);
});

test('an administrator who has one by a group alone is not left without when the group is left, nor open when none is required any more', async () => {
  const bare = await inviteBare({ membership: { admin: true } });
  const other = await inviteBare();
  await setRequired();
  const group = await connect(undefined, some);
  expect((await group.join(bare.id)).status).toBeLessThan(300);
  expect(await accessOf(bare.id)).toEqual([expect.objectContaining({ reference: some })]);
  await setRequired([{ name: 'x', valueBoolean: true }]);
  expect((await group.join(other.id)).status).toBeLessThan(300);
  expect(await accessOf(bare.id)).toEqual([expect.objectContaining({ reference: some })]);
  await setRequired();
  expect((await group.leave(bare.id)).status).toBeLessThan(300);
  expect(await accessOf(bare.id)).toHaveLength(1);
  expectOutcome(await callApi(bare.bearer, 'GET', '/fhir/R4/Patient'), 403);
});

test('who has none may ask for access and be given it, or be made a caregiver: it opens no less than they have', async () => {
  const { body: patient } = await asOwner('POST', '/fhir/R4/Patient', { resourceType: 'Patient' });
  const [bare, carer] = [await inviteBare(), await inviteBare()];
  await setRequired();
  const asked = await callApi(bare.bearer, 'POST', '/auth/me/access-requests', {
    body: { resourceType: 'Patient', interaction: 'read', reason: 'Night shift' },
  });
  expect(asked.status, asked.text).toBe(201);
  const grant = { policy: some, until: new Date(Date.now() + 3_600_000).toISOString() };
  const given = await world.call('POST', `/access-requests/${asked.body.id}/grant`, { body: grant });
  expect(given.status, given.text).toBe(200);
  expect((await callApi(bare.bearer, 'GET', `/fhir/R4/Patient/${patient.id}`)).status).toBe(200);

  const body = {
    resourceType: 'AccessPolicy',
    name: 'Carer',
    resource: [{ resourceType: 'Patient', criteria: 'Patient?_id=%child.id' }],
  };
  const { body: policy } = await asOwner('POST', '/fhir/R4/AccessPolicy', body);
  const care = {
    act: 'add',
    members: [{ membership: carer.id }],
    policy: `AccessPolicy/${policy.id}`,
    parameter: 'child',
    patients: [`Patient/${patient.id}`],
  };
  const { body: outcome } = await world.call('POST', '/caregivers', { body: care });
  expect(outcome.rows).toMatchObject([{ outcome: 'changed', entries: 1 }]);
  expect((await callApi(carer.bearer, 'GET', `/fhir/R4/Patient/${patient.id}`)).status).toBe(200);
});

test('a project does not begin with a requirement that nobody reads', async () => {
  const root = await createSuperAdmin();
  const make = (value: object) => {
    const body = { resourceType: 'Project', name: 'New clinic', setting: [{ name: 'requirePolicy', ...value }] };
    return callApi(root, 'POST', '/admin/Project/', { body });
  };
  expectOutcome(await make({ valueString: 'true' }), 400, 'Project.setting[0]');
  expect((await make({ valueBoolean: true })).status).toBe(201);
});

test('a copy of a bot whose membership was removed is refused: it would have more', async () => {
  const accessPolicy = { reference: some };
  const { body: bot } = await world.call('POST', '/bot', { body: { name: 'Limited', accessPolicy } });
  const { body: found } = await asOwner('GET', `/fhir/R4/ProjectMembership?user=Bot/${bot.id}`);
  expect((await world.call('DELETE', `/members/${found.entry[0].resource.id}`)).status).toBe(200);
  expectOutcome(await world.call('POST', `/bots/${bot.id}/duplicate`, { body: { name: 'Copy' } }), 409);
});
