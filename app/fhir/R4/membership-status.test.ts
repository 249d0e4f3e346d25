import { eq } from 'drizzle-orm';
import { beforeAll, expect, test } from 'vitest';
import { oneTimeLink } from '#lib/infra/db/schema/identity.ts';
import { mail } from '#lib/infra/db/schema/operations.ts';
import { MEMBER_STATUSES } from '#lib/protocol/answers/member-status.ts';
import { type Answer, callApi, expectOutcome } from '#lib/testing/call-api.ts';
import { tellStanding } from '#lib/testing/check-standing.ts';
import { db } from '#lib/testing/own-db.ts';
import { createWorld, type World } from '#lib/testing/world.ts';

let world: World;
let ids: Record<string, string>;

beforeAll(async () => {
  world = await createWorld();
  const made = [await world.invite(), await world.invite(), await world.invite(), await world.invite()];
  const [invited = '', expired = '', failed = '', stopped = ''] = made.map(({ id }) => id);
  ids = {
    active: world.owner.membershipId,
    invited,
    'invite-expired': expired,
    'mail-failed': failed,
    deactivated: stopped,
  };
  await db()
    .update(oneTimeLink)
    .set({ expiresAt: new Date(0) })
    .where(eq(oneTimeLink.membershipId, expired));
  await db().update(mail).set({ state: 'bounced' }).where(eq(mail.membershipId, failed));
  await tellStanding(world.projectId);
  await world.call('PATCH', `/members/${stopped}`, { body: [{ op: 'add', path: '/active', value: false }] });
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
