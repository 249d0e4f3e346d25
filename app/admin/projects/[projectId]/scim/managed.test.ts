import { beforeAll, expect, test } from 'vitest';
import { callApi, expectOutcome } from '#lib/testing/call-api.ts';
import { makeClient } from '#lib/testing/people.ts';
import { aUser, expectScimError, makeDirectory, patchOp } from '#lib/testing/scim.ts';
import { anEmail, createWorld, type World } from '#lib/testing/world.ts';

let world: World;
let directory: { id: string; scim: ReturnType<typeof makeDirectory> };

beforeAll(async () => {
  world = await createWorld();
  directory = await connect('Okta');
});

async function connect(name: string) {
  const { body } = await world.call('POST', '/scim', { body: { name } });
  return { id: String(body.id), scim: makeDirectory(`Bearer ${body.token}`) };
}

async function add(fields: Record<string, unknown> = {}, { scim } = directory) {
  const { body } = await scim('POST', '/Users', aUser(fields));
  const member = (await world.call('GET', `/members/${body.id}`)).body;
  return { id: String(body.id), user: String(member.user.reference), profile: String(member.profile.reference) };
}

const BY = 'is managed by the directory Okta: change it there, or disconnect it first';
const patch = (id: string, ...body: unknown[]) => world.call('PATCH', `/members/${id}`, { body });
const OFF = { op: 'add', path: '/active', value: false };

function expectManaged(answer: Awaited<ReturnType<World['call']>>): void {
  expectOutcome(answer, 409);
  expect(answer.body.issue[0].details.coding[0].code).toBe('directory');
  expect(answer.body.issue[0].details.text).toContain(BY);
}

test('what a directory manages of a member is not changed by hand, and it is said which one', async () => {
  const { id, user, profile } = await add();
  expectManaged(await patch(id, OFF));
  expectManaged(await patch(id, { op: 'replace', path: '/userName', value: 'x' }));
  expectManaged(await patch(id, { op: 'remove', path: '/externalId' }));
  const record = (await callApi(world.owner.bearer, 'GET', `/fhir/R4/${profile}`)).body;
  const put = (change: object) =>
    callApi(world.owner.bearer, 'PUT', `/fhir/R4/${profile}`, { body: { ...record, ...change } });
  expectManaged(await put({ name: [{ given: ['Other'], family: 'Name' }] }));
  expectManaged(await put({ telecom: [{ system: 'email', value: anEmail() }] }));
  expect((await put({ gender: 'female' })).status).toBe(200);
  const row = await world.call('POST', `/members/${id}/invite/address`, { body: { email: anEmail() } });
  expectManaged(row);
  expect((await world.call('GET', `/members/${id}`)).body).toMatchObject({ user: { reference: user } });
  expectManaged(
    await world.call('POST', '/invite', { body: { ...(await reinvited(id)), membership: { active: false } } }),
  );
});

async function reinvited(id: string) {
  const { user } = (await world.call('GET', `/members/${id}`)).body;
  return { resourceType: 'Practitioner', firstName: 'A', lastName: 'B', email: user.display, upsert: true };
}

test('the rest of a member is the administrators’: rights, sessions, and their end', async () => {
  const { id } = await add();
  expect((await patch(id, { op: 'add', path: '/admin', value: true })).status).toBe(200);
  expect((await world.call('DELETE', `/members/${id}/sessions`)).status).toBeLessThan(400);
  expect((await world.call('DELETE', `/members/${id}`)).status).toBe(200);
});

test('the address of an account that is the project’s own is the directory’s, too', async () => {
  const { id, user } = await add({ emails: undefined, userName: 'k.moss', externalId: undefined });
  const change = { resourceType: 'Parameters', parameter: [{ name: 'email', valueString: anEmail() }] };
  const path = `/fhir/R4/User/${user.slice('User/'.length)}/$update-email`;
  expectManaged(await callApi(world.owner.bearer, 'POST', path, { body: change }));
  const value = anEmail();
  const moved = await directory.scim(
    'PATCH',
    `/Users/${id}`,
    patchOp({ op: 'add', path: 'emails', value: [{ value }] }),
  );
  expect(moved.status, moved.text).toBe(200);
});

test('the lists say who manages whom; a member who was there is managed from the first change on', async () => {
  const member = await world.invite();
  const facts = async (id: string) =>
    (await world.call('GET', `/member-facts?membership=${id}`)).body.rows[0].directory;
  expect(await facts(member.id)).toBeNull();
  await directory.scim('GET', `/Users/${member.id}`);
  expect((await patch(member.id, OFF)).status).toBe(200);
  const on = await directory.scim(
    'PATCH',
    `/Users/${member.id}`,
    patchOp({ op: 'replace', path: 'active', value: true }),
  );
  expect(on.body.active).toBe(true);
  expect(await facts(member.id)).toBe('Okta');
  expectManaged(await patch(member.id, OFF));
});

test('a program of the project that speaks SCIM is no directory, and is refused as by hand', async () => {
  const { id } = await add();
  const client = makeDirectory((await makeClient(world.projectId, {}, { admin: true })).basic);
  const off = patchOp({ op: 'replace', path: 'active', value: false });
  expectScimError(await client('PATCH', `/Users/${id}`, off), 409);
  expectScimError(
    await client('PATCH', `/Users/${id}`, patchOp({ op: 'replace', path: 'name.givenName', value: 'Z' })),
    409,
  );
});

test('once the directory is disconnected everything is changed by hand again', async () => {
  const other = await connect('Entra');
  const { id } = await add({}, other);
  expectOutcome(await patch(id, OFF), 409);
  expect((await world.call('DELETE', `/scim/${other.id}`)).status).toBe(200);
  expect((await patch(id, OFF)).status).toBe(200);
});
