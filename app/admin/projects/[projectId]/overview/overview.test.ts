import { and, eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { resource } from '#lib/infra/db/schema/fhir/resource.ts';
import { oneTimeLink } from '#lib/infra/db/schema/login.ts';
import { mail } from '#lib/infra/db/schema/operations.ts';
import { callApi, expectOutcome } from '#lib/testing/call-api.ts';
import { tellStanding } from '#lib/testing/set-up/check-standing.ts';
import { db } from '#lib/testing/set-up/own-db.ts';
import { createWorld, type World } from '#lib/testing/world.ts';

const PASSWORD = 'Violet-Hammock-41';

async function read(world: World) {
  const answer = await world.call('GET', '/overview');
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}

test('a new project has nothing done; its single administrator and its unlimited first client are findings', async () => {
  const world = await createWorld();
  const overview = await read(world);
  expect(overview.checklist).toEqual(
    ['invite', 'second-admin', 'policy', 'bot', 'client'].map((key) => ({ key, done: false })),
  );
  expect(overview.bots).toEqual({ count: 0, runs24h: 0, failed24h: 0 });
  expect(overview.clients).toEqual({ active: 1, off: 0 });
  expect(overview.findings.map((finding: { kind: string }) => finding.kind)).toEqual(['one-admin', 'no-policy']);
  expect(overview.findings[0]).toMatchObject({ target: `Project/${world.projectId}`, fix: 'invite-admin' });
});

test('every step is done when it is done', async () => {
  const world = await createWorld();
  const as = world.owner.bearer;
  await world.invite({ admin: true });
  await world.call('POST', '/client', { body: { name: 'Nightly' } });
  const policy = { resourceType: 'AccessPolicy', name: 'Mine', resource: [{ resourceType: 'Patient' }] };
  expect((await callApi(as, 'POST', '/fhir/R4/AccessPolicy', { body: policy })).status).toBe(201);
  const { body: bot } = await world.call('POST', '/bot', { body: { name: 'Echo' } });
  const code = 'export async function handler() { return 1; }';
  await callApi(as, 'POST', `/fhir/R4/Bot/${bot.id}/$deploy`, { body: { code } });
  const { checklist, bots, clients, recent } = await read(world);
  expect(checklist.every((step: { done: boolean }) => step.done)).toBe(true);
  expect(bots.count).toBe(1);
  expect(clients).toEqual({ active: 2, off: 0 });
  expect(recent[0]).toMatchObject({
    action: 'bot.deploy',
    actor: { display: 'Olga Owner' },
    target: { display: 'Echo' },
  });
});

test('people are counted by what they can do now', async () => {
  const world = await createWorld();
  await world.invite();
  await world.invite({ password: PASSWORD });
  const stopped = await world.invite({ password: PASSWORD });
  await world.call('PATCH', `/members/${stopped.id}`, { body: [{ op: 'add', path: '/active', value: false }] });
  expect((await read(world)).people).toEqual({ active: 2, invited: 1, inactive: 1 });
});

test('what needs attention is found, named and counted', async () => {
  const world = await createWorld();
  const [expired, bounced, gone, open] = [
    await world.invite({ lastName: 'Expired' }),
    await world.invite({ lastName: 'Bounced' }),
    await world.invite({ lastName: 'Gone' }),
    await world.invite({ lastName: 'Open' }),
  ];
  await world.invite({
    lastName: 'Second',
    admin: true,
    membership: { profile: open.profile },
    email: open.user.display,
    forceNewMembership: true,
  });
  await db()
    .update(oneTimeLink)
    .set({ expiresAt: new Date(0) })
    .where(eq(oneTimeLink.membershipId, expired.id));
  await db().update(mail).set({ state: 'bounced' }).where(eq(mail.membershipId, bounced.id));
  await tellStanding(world.projectId);
  // Seen at once, where the members are few.
  await db()
    .update(resource)
    .set({ deleted: true, content: null })
    .where(and(eq(resource.projectId, world.projectId), eq(resource.id, gone.profile.reference.split('/')[1]!)));
  await world.call('PATCH', `/members/${open.id}`, { body: [{ op: 'remove', path: '/accessPolicy' }] });
  const { findings, findingCounts } = await read(world);
  const found = findings.map(({ kind, target }: { kind: string; target: string }) => `${kind} ${target.split('/')[1]}`);
  expect(found).toContain(`profile-missing ${gone.id}`);
  expect(found).toContain(`no-policy ${open.id}`);
  expect(found).toContain(`mail-failed ${bounced.id}`);
  expect(found).toContain(`invite-expired ${expired.id}`);
  expect(findingCounts).toMatchObject({ 'profile-missing': 1, 'shared-profile': 1, 'one-admin': 0, 'mail-failed': 1 });
  expect(findings.find((finding: { kind: string }) => finding.kind === 'profile-missing')).toMatchObject({
    display: 'Ann Gone',
    fix: 'repair',
    text: expect.stringContaining('Ann Gone'),
  });
});

test('a policy that is gone is a finding of whoever names it, and of the project whose default it is, until another stands there', async () => {
  const world = await createWorld();
  const as = world.owner.bearer;
  const make = async (name: string) => {
    const policy = { resourceType: 'AccessPolicy', name, resource: [{ resourceType: 'Patient' }] };
    const { body } = await callApi(as, 'POST', '/fhir/R4/AccessPolicy', { body: policy });
    return { reference: `AccessPolicy/${body.id}` };
  };
  const [whole, entry, kept] = [await make('Whole'), await make('Entry'), await make('Kept')];
  const one = await world.invite({ lastName: 'One', accessPolicy: whole, access: [{ policy: kept }] });
  const two = await world.invite({ lastName: 'Two', access: [{ policy: kept }, { policy: entry }] });
  await world.invite({ lastName: 'Third', access: [{ policy: kept }] });
  const project = await callApi(as, 'GET', `/fhir/R4/Project/${world.projectId}`);
  const defaultAccessPolicies = [{ profileType: 'Practitioner', accessPolicy: entry }];
  const put = { ...project.body, defaultAccessPolicies };
  expect((await callApi(as, 'PUT', `/fhir/R4/Project/${world.projectId}`, { body: put })).status).toBe(200);
  expect((await read(world)).findingCounts).toMatchObject({ 'policy-missing': 0, 'default-missing': 0 });
  // What goes round the rules: rows of an import by SQL that were never there, or were deleted so.
  const isGone = async ({ reference }: { reference: string }) => {
    const is = and(eq(resource.projectId, world.projectId), eq(resource.id, reference.split('/')[1]!));
    await db().update(resource).set({ deleted: true, content: null }).where(is);
  };
  await isGone(whole);
  await isGone(entry);
  const { findings, findingCounts } = await read(world);
  expect(findingCounts).toMatchObject({ 'policy-missing': 2, 'default-missing': 1 });
  expect(findings.slice(0, 3)).toMatchObject([
    { kind: 'policy-missing', target: `ProjectMembership/${one.id}`, display: 'Ann One', fix: 'edit-access' },
    { kind: 'policy-missing', target: `ProjectMembership/${two.id}`, display: 'Ann Two', fix: 'edit-access' },
    { kind: 'default-missing', target: `Project/${world.projectId}`, display: 'Practitioner', fix: 'edit-defaults' },
  ]);
  const { gone } = (await world.call('GET', '/access-policies')).body;
  expect(gone.toSorted((a: typeof whole, b: typeof whole) => (a.reference < b.reference ? -1 : 1))).toEqual(
    [whole, entry]
      .map(({ reference }) => ({ reference, members: 1 }))
      .toSorted((a, b) => (a.reference < b.reference ? -1 : 1)),
  );
  // Mended where each leads.
  const next = { accessPolicy: kept, access: [] };
  const ops = Object.entries(next).map(([name, value]) => ({ op: 'add', path: `/${name}`, value }));
  for (const { id } of [one, two]) {
    const answer = await world.call('PATCH', `/members/${id}`, { body: ops });
    expect(answer.status, answer.text).toBe(200);
  }
  const mended = { ...put, defaultAccessPolicies: [{ profileType: 'Practitioner', accessPolicy: kept }] };
  expect((await callApi(as, 'PUT', `/fhir/R4/Project/${world.projectId}`, { body: mended })).status).toBe(200);
  expect((await read(world)).findingCounts).toMatchObject({ 'policy-missing': 0, 'default-missing': 0 });
  expect((await world.call('GET', '/access-policies')).body.gone).toEqual([]);
});

test('only for administrators of the project', async () => {
  const [world, other] = [await createWorld(), await createWorld()];
  expectOutcome(await world.call('GET', '/overview', { bearer: null }), 401);
  expectOutcome(await world.call('GET', '/overview', { bearer: other.owner.bearer }), 403);
});
