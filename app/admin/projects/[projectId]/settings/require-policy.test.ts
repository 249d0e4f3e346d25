import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { callApi, expectOutcome } from '#lib/testing/call-api.ts';
import { anEmail, createSuperAdmin, createWorld, invitation, signIn, type World } from '#lib/testing/world.ts';

const PATCH = { 'content-type': 'application/json-patch+json' };
/** Its example is what is sent. */
const PAGE = readFileSync(join(import.meta.dirname, '../../../../../docs/access-policies.md'), 'utf8');
const ON = [{ name: 'requirePolicy', valueBoolean: true }];

let world: World;
const asOwner = (method: string, path: string, body?: object) => callApi(world.owner.bearer, method, path, { body });

async function makePolicy(resource: object[] = [{ resourceType: 'Patient' }]): Promise<{ reference: string }> {
  const { body } = await asOwner('POST', '/fhir/R4/AccessPolicy', {
    resourceType: 'AccessPolicy',
    name: 'P',
    resource,
  });
  return { reference: `AccessPolicy/${body.id}` };
}

/** The owner has a policy that opens everything, and requires one of everybody. */
async function requirePolicies(): Promise<void> {
  const whole = await makePolicy([{ resourceType: '*' }]);
  const patch = [{ op: 'add', path: '/accessPolicy', value: whole }];
  expect((await world.call('PATCH', `/members/${world.owner.membershipId}`, { body: patch })).status).toBe(200);
  const [, status, body = ''] =
    /^## A policy for everyone\n.*?^```http (\d+)\nPOST \S+\/settings\n(.*?)^```/ms.exec(PAGE) ?? [];
  expect((await world.call('POST', '/settings', { body: JSON.parse(body) })).status).toBe(Number(status));
}

/** Somebody whom no policy limits. */
async function inviteOpen(fields: object = {}) {
  const member = await world.invite({ accessPolicy: await makePolicy(), ...fields });
  const body = [{ op: 'remove', path: '/accessPolicy' }];
  expect((await world.call('PATCH', `/members/${member.id}`, { body })).status).toBe(200);
  return { ...member, bearer: await signIn(world.projectId, member.id, member.user.reference) };
}

function expectRequired(answer: Awaited<ReturnType<typeof asOwner>>): void {
  expectOutcome(answer, 400, 'accessPolicy');
  expect(answer.body.issue[0].code).toBe('required');
}

beforeEach(async () => {
  world = await createWorld();
});

describe('requirePolicy', () => {
  test('who has no policy reached everything, and at once reaches no record; nor by Bundles, histories, counts and operations', async () => {
    const { body: patient } = await asOwner('POST', '/fhir/R4/Patient', { resourceType: 'Patient' });
    const { bearer } = await inviteOpen();
    const ask = (method: string, path: string, body?: object) => callApi(bearer, method, `/fhir/R4${path}`, { body });
    expect((await ask('GET', `/Patient/${patient.id}`)).status).toBe(200);
    await requirePolicies();
    const asks: [string, string, object?][] = [
      ['GET', `/Patient/${patient.id}`],
      ['GET', `/Patient/${patient.id}/_history`],
      ['GET', `/Patient/${patient.id}/_history/1`],
      ['GET', `/Patient/${patient.id}/$everything`],
      ['GET', '/Patient?_summary=count'],
      ['GET', '/Patient/_history'],
      ['POST', '/Patient', { resourceType: 'Patient' }],
      ['PUT', `/Patient/${patient.id}`, { ...patient, gender: 'female' }],
      ['DELETE', `/Patient/${patient.id}`],
      ['GET', '/Bot'],
    ];
    for (const [method, path, body] of asks)
      expect([path, (await ask(method, path, body)).status]).toEqual([path, 403]);
    const batch = { resourceType: 'Bundle', type: 'batch', entry: [{ request: { method: 'GET', url: 'Patient' } }] };
    expect((await ask('POST', '', batch)).body.entry[0].response.status).toMatch(/^403/);
    expect((await ask('GET', '/StructureDefinition?_count=1')).status).toBe(200);
    expect((await callApi(bearer, 'GET', '/auth/me')).status).toBe(200);
    await world.call('POST', '/settings', { body: [] });
    expect((await ask('GET', `/Patient/${patient.id}`)).status).toBe(200);
  });

  test('an administrator without one governs, reaches no record, and does not turn it off', async () => {
    const { bearer, id } = await inviteOpen({ membership: { admin: true } });
    await requirePolicies();
    expectOutcome(await callApi(bearer, 'GET', '/fhir/R4/Patient'), 403);
    expect((await callApi(bearer, 'GET', '/fhir/R4/ProjectMembership')).status).toBe(200);
    expectOutcome(await world.call('POST', '/settings', { body: [], bearer }), 403);
    const own = [{ op: 'add', path: '/accessPolicy', value: await makePolicy() }];
    expectOutcome(await world.call('PATCH', `/members/${id}`, { body: own, bearer }), 403);
    const path = `/fhir/R4/Project/${world.projectId}`;
    expectOutcome(
      await callApi(bearer, 'PATCH', path, { body: [{ op: 'remove', path: '/setting' }], headers: PATCH }),
      403,
    );
  });

  test('no membership comes to be without one: invite, client, bot, FHIR create, update, removal undone', async () => {
    const open = await inviteOpen();
    await world.call('DELETE', `/members/${open.id}`);
    await requirePolicies();
    const invite = { resourceType: 'Practitioner', firstName: 'A', lastName: 'B', sendEmail: false };
    const { body: project } = await asOwner('GET', `/fhir/R4/Project/${world.projectId}`);
    const { defaultAccessPolicies: _, ...bare } = project;
    expect((await asOwner('PUT', `/fhir/R4/Project/${world.projectId}`, bare)).status).toBe(200);
    expectRequired(await world.call('POST', '/invite', { body: { ...invite, email: 'r1@example.com' } }));
    expectRequired(await world.call('POST', '/client', { body: { name: 'C' } }));
    expectRequired(await world.call('POST', '/bot', { body: { name: 'B' } }));
    const client = { resourceType: 'ClientApplication', name: 'C' };
    expectRequired(await asOwner('POST', '/fhir/R4/ClientApplication', client));
    expectRequired(await asOwner('POST', '/fhir/R4/Bot', { resourceType: 'Bot', name: 'B' }));
    const count = await asOwner('GET', '/fhir/R4/ClientApplication?name=C&_summary=count');
    expect(count.body.total).toBe(0);
    expectOutcome(await world.call('POST', `/members/${open.id}/undo`, { body: { version: 2 } }), 409);
    const accessPolicy = await makePolicy();
    const member = await world.invite({ accessPolicy });
    expect((await world.call('POST', '/client', { body: { name: 'C', accessPolicy } })).status).toBe(201);
    expect((await world.call('POST', '/bot', { body: { name: 'B', accessPolicy } })).status).toBe(201);
    const away = [{ op: 'remove', path: '/accessPolicy' }];
    expectRequired(await world.call('PATCH', `/members/${member.id}`, { body: away }));
    const { body: whole } = await asOwner('GET', `/fhir/R4/ProjectMembership/${member.id}`);
    const { accessPolicy: __, ...without } = whole;
    expectRequired(await world.call('POST', `/members/${member.id}`, { body: { ...without, access: [] } }));
    expectRequired(await world.call('POST', `/members/${member.id}/effect`, { body: {} }));
    const moved = [...away, { op: 'add', path: '/access', value: [{ policy: accessPolicy }] }];
    expect((await world.call('PATCH', `/members/${member.id}`, { body: moved })).status).toBe(200);
  });

  test('who has none already can be named, deactivated and given one', async () => {
    const open = await inviteOpen();
    await requirePolicies();
    const change = (body: object[]) => world.call('PATCH', `/members/${open.id}`, { body });
    expect((await change([{ op: 'add', path: '/active', value: false }])).status).toBe(200);
    expect((await change([{ op: 'add', path: '/active', value: true }])).status).toBe(200);
    expect((await change([{ op: 'add', path: '/accessPolicy', value: await makePolicy() }])).status).toBe(200);
  });

  test('it is seen why: explained, in the decision, in the overview, of who may read a record, as of then, and by the member', async () => {
    const { body: patient } = await asOwner('POST', '/fhir/R4/Patient', { resourceType: 'Patient' });
    const reference = `Patient/${patient.id}`;
    const open = await inviteOpen();
    const before = new Date().toISOString();
    const readers = async (at = '') => {
      const { body } = await world.call('GET', `/access/who?resource=${reference}${at && `&at=${at}`}`);
      return body.members.map(({ membership }: { membership: string }) => membership);
    };
    const name = `ProjectMembership/${open.id}`;
    expect(await readers()).toContain(name);
    await requirePolicies();
    expect(await readers()).not.toContain(name);
    expect(await readers(before)).toContain(name);
    const question = { membership: name, interaction: 'read', resourceType: 'Patient', id: patient.id };
    const told = await world.call('POST', '/access/explain', { body: question });
    expect(told.body).toMatchObject({ outcome: 'deny', status: 403 });
    expect(told.body.conjuncts).toContainEqual(expect.objectContaining({ name: 'policies', isMet: false }));
    const refusal = await callApi(open.bearer, 'GET', `/fhir/R4/${reference}`);
    const decision = /[0-9a-f-]{36}/.exec(JSON.stringify(refusal.body.issue))?.[0];
    const { body: why } = await world.call('GET', `/access/decisions/${decision}`);
    expect(why.because).toBe('The project required a policy, and the membership had none');
    const clients = await asOwner('GET', '/fhir/R4/ClientApplication?_summary=count');
    const { body: overview } = await world.call('GET', '/overview');
    expect(overview.findingCounts).toMatchObject({ 'policy-required': clients.body.total + 1, 'no-policy': 0 });
    const { body: may } = await world.call('GET', `/members/${open.id}/permissions`);
    expect(may).toMatchObject({ isUnlimited: false });
    expect(may.types.map(({ type }: { type: string }) => type).sort()).toEqual([
      'SearchParameter',
      'StructureDefinition',
    ]);
  });

  test('is true or false, set by who keeps their own access, and not in the project of the super-admins', async () => {
    const open = await inviteOpen({ membership: { admin: true } });
    const bearer = open.bearer;
    expectOutcome(await world.call('POST', '/settings', { body: ON, bearer }), 409);
    const path = `/fhir/R4/Project/${world.projectId}`;
    const set = (value: object) =>
      callApi(bearer, 'PATCH', path, { body: [{ op: 'add', path: '/setting', value: [value] }], headers: PATCH });
    expectOutcome(await set({ name: 'requirePolicy', valueString: 'true' }), 400);
    expectOutcome(await set(ON[0]!), 409);
    const root = await createSuperAdmin();
    expect((await callApi(root, 'POST', `/admin/projects/${world.projectId}/settings`, { body: ON })).status).toBe(200);
    const { body: me } = await callApi(root, 'GET', '/auth/me');
    const own = await callApi(root, 'POST', `/admin/projects/${me.project.id}/settings`, { body: ON });
    expectOutcome(own, 400);
  });

  test('a list of invites is told beforehand, and is refused so', async () => {
    await requirePolicies();
    const { body: project } = await asOwner('GET', `/fhir/R4/Project/${world.projectId}`);
    const { defaultAccessPolicies: _, ...bare } = project;
    await asOwner('PUT', `/fhir/R4/Project/${world.projectId}`, bare);
    const rows = [
      invitation(),
      invitation({ accessPolicy: await makePolicy() }),
      invitation({ membership: { access: [] } }),
    ];
    const { body } = await world.call('POST', '/invite/preflight', { body: { rows } });
    const refused = { action: 'refuse', issues: [{ code: 'required', expression: 'accessPolicy' }] };
    expect(body.rows).toMatchObject([refused, { action: 'create' }, refused]);
    for (const row of [rows[0]!, rows[2]!]) expectRequired(await world.call('POST', '/invite', { body: row }));
  });

  test('a directory is connected and provisions who gets the default', async () => {
    await requirePolicies();
    const { body, status } = await world.call('POST', '/scim', {
      body: { name: 'Entra', sendEmail: false },
    });
    expect(status).toBe(201);
    const user = {
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
      userName: anEmail(),
      name: { givenName: 'A', familyName: 'B' },
    };
    const made = await callApi(`Bearer ${body.token}`, 'POST', '/scim/v2/Users', { body: user });
    expect(made.status, made.text).toBe(201);
    const { body: member } = await asOwner('GET', `/fhir/R4/ProjectMembership/${made.body.id}`);
    expect(member.accessPolicy.reference).toMatch(/^AccessPolicy/);
  });

  test('everybody is told by /auth/me, and only where it is so', async () => {
    expect((await asOwner('GET', '/auth/me')).body.project.setting).toBeUndefined();
    await requirePolicies();
    expect((await asOwner('GET', '/auth/me')).body.project.setting).toEqual(ON);
  });
});
