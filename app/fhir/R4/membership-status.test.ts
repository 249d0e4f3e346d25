import { eq } from 'drizzle-orm';
import { beforeAll, expect, test } from 'vitest';
import { oneTimeLink } from '#lib/infra/db/schema/login.ts';
import { mail } from '#lib/infra/db/schema/operations.ts';
import { MEMBER_STATUSES } from '#lib/protocol/answers/member-status.ts';
import { acceptedMember } from '#lib/testing/accounts.ts';
import { type Answer, callApi, expectOutcome } from '#lib/testing/call-api.ts';
import { tellStanding } from '#lib/testing/set-up/check-standing.ts';
import { db } from '#lib/testing/set-up/own-db.ts';
import { createWorld, type World } from '#lib/testing/world.ts';

let world: World;
let ids: Record<string, string>;

beforeAll(async () => {
  world = await createWorld();
  const made = [await world.invite(), await world.invite(), await world.invite(), await world.invite()];
  const come = [await acceptedMember(world), await acceptedMember(world)];
  const [invited = '', expired = '', failed = '', stopped = ''] = made.map(({ id }) => id);
  ids = {
    active: world.owner.membershipId,
    invited,
    'invite-expired': expired,
    'mail-failed': failed,
    away: come[0]!.id,
    ended: come[1]!.id,
    deactivated: stopped,
  };
  await db()
    .update(oneTimeLink)
    .set({ expiresAt: new Date(0) })
    .where(eq(oneTimeLink.membershipId, expired));
  await db().update(mail).set({ state: 'bounced' }).where(eq(mail.membershipId, failed));
  await tellStanding(world.projectId);
  const patch = (id: string, path: string, value: unknown) =>
    world.call('PATCH', `/members/${id}`, { body: [{ op: 'add', path, value }] });
  await patch(stopped, '/active', false);
  await patch(ids.away!, '/period', { start: new Date(Date.now() + 30 * 86_400_000).toISOString() });
  await patch(ids.ended!, '/period', { end: '2020-01-31' });
});

async function search(query: string): Promise<Answer> {
  return callApi(world.owner.bearer, 'GET', `/fhir/R4/ProjectMembership?profile-type=Practitioner&${query}`);
}

const found = ({ body }: Answer) => (body.entry ?? []).map((entry: Answer['body']) => entry.resource.id);

test.each(MEMBER_STATUSES)(
  'status=%s finds who stands so, and the facts of a member say the same word',
  async (status) => {
    const answer = await search(`status=${status}&_total=accurate`);
    expect([answer.body.total, ...found(answer)]).toEqual([1, ids[status]]);
    const facts = await world.call('GET', `/member-facts?membership=${ids[status]}`);
    expect(facts.body.rows).toMatchObject([{ membershipId: ids[status], status }]);
  },
);

test('who is out by their dates is not counted as active by the overview either, and as no comfort to a lonely administrator', async () => {
  const { body } = await world.call('GET', '/overview');
  expect(body.people).toEqual({ active: 1, invited: 3, inactive: 3 });
  expect(body.findings.map(({ kind }: { kind: string }) => kind)).toContain('one-admin');
  const unlimited = body.findings.filter(({ kind }: { kind: string }) => kind === 'no-policy');
  expect(unlimited.map(({ target }: { target: string }) => target)).not.toContain(`ProjectMembership/${ids.ended}`);
});

test('somebody who has not accepted is told as invited before the membership begins, and as ended when it is over', async () => {
  const own = await createWorld();
  const { id } = await own.invite();
  const patch = (value: unknown) =>
    own.call('PATCH', `/members/${id}`, { body: [{ op: 'add', path: '/period', value }] });
  const status = async () => (await own.call('GET', `/member-facts?membership=${id}`)).body.rows[0].status;
  await patch({ start: new Date(Date.now() + 86_400_000).toISOString() });
  expect(await status()).toBe('invited');
  await patch({ end: '2020-01-31' });
  expect(await status()).toBe('ended');
  const found = await callApi(own.owner.bearer, 'GET', '/fhir/R4/ProjectMembership?status=invited&_total=accurate');
  expect(found.body.total).toBe(0);
});

test('any of several words, together with other parameters, page after page', async () => {
  const first = await search('status=invited,invite-expired&_count=1&_sort=_lastUpdated');
  const next = first.body.link.find((link: { relation: string }) => link.relation === 'next').url as string;
  const second = await callApi(world.owner.bearer, 'GET', next.slice(next.indexOf('/fhir')));
  expect([...found(first), ...found(second)].sort()).toEqual([ids.invited, ids['invite-expired']].sort());
  expect(found(await search('status=invited&active=false'))).toEqual([]);
  expect(found(await search('status=invited,active&status=active'))).toEqual([ids.active]);
});

test('a job is started for all of a status', async () => {
  const started = await world.call('POST', '/jobs', { body: { kind: 'resend', search: 'status=invite-expired' } });
  const job = await world.call('GET', `/jobs/${started.body.id}`);
  expect(job.body, job.text).toMatchObject({ total: 1 });
});

test('nobody has a status that is none; 400 for a modifier, an empty one, and other types', async () => {
  expect(found(await search('status=expired'))).toEqual([]);
  for (const query of ['status:not=active', 'status=']) expectOutcome(await search(query), 400);
  expectOutcome(await callApi(world.owner.bearer, 'GET', '/fhir/R4/AccessPolicy?status=active'), 400);
});
