import { and, eq, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { transaction } from '#lib/infra/db/client.ts';
import { userProject } from '#lib/infra/db/schema/directory.ts';
import { resource } from '#lib/infra/db/schema/fhir/resource.ts';
import { membershipKey } from '#lib/infra/db/schema/identity.ts';
import { oneTimeLink } from '#lib/infra/db/schema/login.ts';
import { mail } from '#lib/infra/db/schema/operations.ts';
import { STORED_INVITE_STATUSES } from '#lib/protocol/requests/invite-statuses.ts';
import { callAuth } from '#lib/testing/call-auth.ts';
import { keysOf } from '#lib/testing/invites.ts';
import { makePerson } from '#lib/testing/people.ts';
import { checkStanding } from '#lib/testing/set-up/check-standing.ts';
import { db } from '#lib/testing/set-up/own-db.ts';
import { createWorld, type World } from '#lib/testing/world.ts';
import { expireInvites } from './expire-invites.ts';
import { foldCounts } from './fold-counts.ts';
import { followMail } from './follow-mail.ts';
import { recountMembers } from './recount-members.ts';
import { repairStanding } from './repair-standing.ts';
import { sweepStanding } from './sweep-standing.ts';

const PASSWORD = 'Violet-Hammock-41';
const HOUR_MS = 3_600_000;

/** Numbers that look random, the same for a seed. */
function randomOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

async function lose(projectId: string, membershipId: string): Promise<void> {
  await transaction(async (tx) => {
    await tx
      .update(mail)
      .set({ state: 'bounced' })
      .where(and(eq(mail.projectId, projectId), eq(mail.membershipId, membershipId)));
    await followMail(tx, { projectId, membershipId });
  });
}

async function accept(world: World, membershipId: string): Promise<void> {
  const { body } = await world.call('GET', `/invites?membership=${membershipId}`);
  const handed = await world.call('POST', `/invites/${body.rows[0]?.linkId}/link`);
  const [, id = '', secret = ''] = /setpassword\/(.+)#(.+)$/.exec(handed.body.url) ?? [];
  await callAuth('POST', '/auth/setpassword', { body: { id, secret, password: PASSWORD } });
}

/** What may happen to a member, and to somebody new. What a rule refuses changes nothing. */
function operations(world: World, known: string): ((id: string) => Promise<unknown>)[] {
  const { projectId } = world;
  const at = (id: string, name: string) => world.call('POST', `/members/${id}/${name}`);
  const patch = (id: string, path: string, value: unknown) =>
    world.call('PATCH', `/members/${id}`, { body: [{ op: 'add', path, value }] });
  const byLink = async (id: string, name: string) => {
    const { body } = await world.call('GET', `/invites?membership=${id}`);
    return world.call('POST', `/invites/${body.rows[0]?.linkId}/${name}`);
  };
  const again = async (id: string, fields: object) => {
    const key = (await keysOf(projectId)).find((row) => row.membershipId === id);
    const { body } = await world.call('GET', `/members/${id}`);
    const profile = { reference: key?.profileRef };
    const resourceType = key?.profileRef.split('/')[0];
    const fits = { resourceType, email: body.user?.display, membership: { profile } };
    return world.call('POST', '/invite', { body: { firstName: 'A', lastName: 'B', ...fits, ...fields } });
  };
  return [
    () => world.invite(),
    () => world.invite({ resourceType: 'Patient', sendEmail: false }),
    () => world.invite({ password: PASSWORD }),
    () => world.invite({ membership: { active: false } }),
    () =>
      world.call('POST', '/invite', {
        body: { resourceType: 'Practitioner', firstName: 'K', lastName: 'N', email: known },
      }),
    (id) => again(id, { upsert: true }),
    (id) => again(id, { forceNewMembership: true }),
    (id) => at(id, 'resendinvite'),
    (id) => byLink(id, 'revoke'),
    (id) => byLink(id, 'extend'),
    (id) => byLink(id, 'link'),
    (id) => accept(world, id),
    (id) => lose(projectId, id),
    (id) => at(id, 'resendinvite').then(() => lose(projectId, id)),
    (id) => patch(id, '/active', false),
    (id) => patch(id, '/active', true),
    (id) => patch(id, '/admin', true),
    (id) => world.call('PATCH', `/members/${id}`, { body: [{ op: 'remove', path: '/accessPolicy' }] }),
    (id) => world.call('DELETE', `/members/${id}`),
    (id) => world.call('POST', `/members/${id}/undo`, { body: { version: 1 } }),
    (id) => world.call('POST', `/members/${id}/invite/address`, { body: { email: `n${id}@example.com` } }),
  ];
}

test('whatever happens to members, several things at once: what is stored of each is so, and their number', async () => {
  const [world, { email }] = [await createWorld(), await makePerson()];
  const random = randomOf(20_261_122);
  const all = operations(world, email);
  const ids: string[] = [];
  const seen = new Set<string>();
  for (let round = 0; round < 40; round++) {
    for (const { membershipId, inviteStatus } of await keysOf(world.projectId)) {
      seen.add(inviteStatus);
      if (!ids.includes(membershipId) && membershipId !== world.owner.membershipId) ids.push(membershipId);
    }
    // Two of three about one member.
    const id = ids[random(ids.length)] ?? world.owner.membershipId;
    const chosen = [id, id, ids[random(ids.length)] ?? id].map((one) => all[random(all.length)]!(one));
    await Promise.all([...chosen, foldCounts(world.projectId)]);
    await checkStanding(world.projectId);
  }
  expect([...seen].sort()).toEqual([...STORED_INVITE_STATUSES].sort());
});

test('what connections counted in slots of their own becomes one row of each kind', async () => {
  const world = await createWorld();
  await Promise.all(Array.from({ length: 12 }, () => world.invite()));
  const slots = () =>
    db().execute<{ rows: number; kinds: number; n: number }>(sql`
      select count(*)::int as rows, count(distinct (profile_type, active, admin, invite_status, limited))::int as kinds, sum(n)::int as n
      from member_count where project_id = ${world.projectId}`);
  const [before] = await slots();
  await foldCounts(world.projectId);
  const [after] = await slots();
  expect(before!.rows).toBeGreaterThan(before!.kinds);
  expect(after).toEqual({ rows: before!.kinds, kinds: before!.kinds, n: before!.n });
  await checkStanding(world.projectId);
});

test('an invitation expires by itself: told at once, noted by the sweep', async () => {
  const world = await createWorld();
  const { id } = await world.invite();
  const past = new Date(Date.now() - HOUR_MS);
  await db().update(oneTimeLink).set({ expiresAt: past }).where(eq(oneTimeLink.membershipId, id));
  await db().update(membershipKey).set({ inviteEnds: past }).where(eq(membershipKey.membershipId, id));
  const statuses = async () => {
    const { body } = await world.call('GET', '/invites');
    const { body: filtered } = await world.call('GET', '/invites?status=expired');
    return [body.counts.pending, body.counts.expired, body.rows[0].status, filtered.total, filtered.rows.length];
  };
  expect(await statuses()).toEqual([0, 1, 'expired', 1, 1]);
  await expireInvites(world.projectId);
  const [key] = await db().select().from(membershipKey).where(eq(membershipKey.membershipId, id));
  expect(key).toMatchObject({ inviteStatus: 'expired', inviteEnds: null });
  expect(await statuses()).toEqual([0, 1, 'expired', 1, 1]);
});

test('what went round the rules is set right: wrong counters at once, everything in the hour of the project', async () => {
  const world = await createWorld();
  const { id, profile, accessPolicy } = (await world.invite()) as Awaited<ReturnType<World['invite']>> & {
    accessPolicy: { reference: string };
  };
  await db().execute(
    sql`update member_count set n = n + 3 where project_id = ${world.projectId} and invite_status = 'pending'`,
  );
  await expect(checkStanding(world.projectId)).rejects.toThrow('more than counted');
  expect(await recountMembers(world.projectId)).toBe(1);
  await checkStanding(world.projectId);
  await db()
    .update(membershipKey)
    .set({ inviteStatus: 'accepted', limited: false })
    .where(eq(membershipKey.membershipId, id));
  await expect(checkStanding(world.projectId)).rejects.toThrow(`ProjectMembership/${id}`);
  expect(await repairStanding(world.projectId)).toBeGreaterThan(0);
  await checkStanding(world.projectId);
  const everywhere = () => db().select().from(userProject).where(eq(userProject.projectId, world.projectId));
  const known = await everywhere();
  await db().delete(userProject).where(eq(userProject.projectId, world.projectId));
  expect(await repairStanding(world.projectId)).toBe(known.length);
  expect((await everywhere()).map(({ userId }) => userId).sort()).toEqual(known.map(({ userId }) => userId).sort());
  const isGone = async () => {
    await sweepStanding();
    const [key] = await db().select().from(membershipKey).where(eq(membershipKey.membershipId, id));
    return key?.profileGone;
  };
  const of = eq(resource.id, profile.reference.split('/')[1]!);
  await db().update(resource).set({ deleted: true }).where(of);
  expect(await isGone()).toBe(true);
  await db().update(resource).set({ deleted: false }).where(of);
  expect(await isGone()).toBe(false);
  const policyIsGone = async () => {
    await sweepStanding();
    const [key] = await db().select().from(membershipKey).where(eq(membershipKey.membershipId, id));
    return key?.policyGone;
  };
  const ofPolicy = eq(resource.id, accessPolicy.reference.split('/')[1]!);
  await db().update(resource).set({ deleted: true }).where(ofPolicy);
  expect(await policyIsGone()).toBe(true);
  await db().update(resource).set({ deleted: false }).where(ofPolicy);
  expect(await policyIsGone()).toBe(false);
});
