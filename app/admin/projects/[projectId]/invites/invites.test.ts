import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { oneTimeLink } from '#lib/infra/db/schema/login.ts';
import { auditEvent, mail } from '#lib/infra/db/schema/operations.ts';
import { callApi, expectOutcome } from '#lib/testing/call-api.ts';
import { callAuth } from '#lib/testing/call-auth.ts';
import { tellStanding } from '#lib/testing/set-up/check-standing.ts';
import { db } from '#lib/testing/set-up/own-db.ts';
import { createSuperAdmin, createWorld, type World } from '#lib/testing/world.ts';

const PASSWORD = 'Violet-Hammock-41';

async function list(world: World, query = '') {
  const answer = await world.call('GET', `/invites${query}`);
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}

/** The link of a row, by way of the administrator's hand. */
async function linkOf(world: World, linkId: string): Promise<{ id: string; secret: string }> {
  const { status, body, text } = await world.call('POST', `/invites/${linkId}/link`);
  expect(status, text).toBe(200);
  const [, id = '', secret = ''] = /setpassword\/(.+)#(.+)$/.exec(body.url) ?? [];
  return { id, secret };
}

async function expire(world: World, linkId: string): Promise<void> {
  await db()
    .update(oneTimeLink)
    .set({ expiresAt: new Date(Date.now() - 1000) })
    .where(eq(oneTimeLink.id, linkId));
  await tellStanding(world.projectId);
}

test('an invitation is one row, however often it is sent, with the newest link and its mail', async () => {
  const world = await createWorld();
  const invited = await world.invite({ firstName: 'Zoë', lastName: 'Lind' });
  const first = (await list(world)).rows[0];
  expect(first).toMatchObject({
    membershipId: invited.id,
    status: 'pending',
    name: 'Zoë Lind',
    email: invited.user.display,
    profileType: 'Practitioner',
    admin: false,
    channel: 'mail',
    invitedBy: { display: 'Olga Owner' },
    delivery: { state: 'queued', attempts: 0, error: null },
    openedAt: null,
    acceptedAt: null,
  });
  expect(first.policies).toEqual([
    { reference: expect.stringMatching(/^AccessPolicy\//), display: expect.stringMatching(/\w/) },
  ]);
  expect((await world.call('POST', `/members/${invited.id}/resendinvite`)).status).toBe(200);
  const { rows, total } = await list(world);
  expect(total).toBe(1);
  expect(rows[0].linkId).not.toBe(first.linkId);
  expect(rows[0]).toMatchObject({ membershipId: invited.id, status: 'pending', invitedAt: first.invitedAt });
});

test('every state is told apart, counted over the search and filtered by', async () => {
  const world = await createWorld();
  const made: Record<string, string> = {};
  for (const name of ['pending', 'accepted', 'expired', 'revoked', 'failed']) {
    made[name] = (await world.invite({ firstName: 'Pat', lastName: name })).id;
  }
  const rows = (await list(world)).rows as { membershipId: string; linkId: string }[];
  const link = (name: string) => rows.find((row) => row.membershipId === made[name])!.linkId;
  const opened = await linkOf(world, link('accepted'));
  await callAuth('POST', '/auth/link', { body: opened });
  expect((await callAuth('POST', '/auth/setpassword', { body: { ...opened, password: PASSWORD } })).status).toBe(200);
  await expire(world, link('expired'));
  expect((await world.call('POST', `/invites/${link('revoked')}/revoke`)).body.status).toBe('revoked');
  await db()
    .update(mail)
    .set({ state: 'bounced', error: 'No such mailbox' })
    .where(eq(mail.membershipId, made.failed!));
  await tellStanding(world.projectId);
  const { counts } = await list(world);
  expect(counts).toEqual({ pending: 1, accepted: 1, expired: 1, revoked: 1, failed: 1 });
  for (const [name, id] of Object.entries(made)) {
    const found = await list(world, `?status=${name}`);
    expect(found).toMatchObject({ total: 1, counts });
    expect(found.rows[0]).toMatchObject({ membershipId: id, status: name, name: `Pat ${name}` });
  }
  const [accepted] = (await list(world, '?status=accepted')).rows;
  expect(accepted.openedAt).not.toBeNull();
  expect(accepted.acceptedAt).not.toBeNull();
  expect((await list(world, '?status=failed')).rows[0].delivery).toMatchObject({
    state: 'bounced',
    error: 'No such mailbox',
  });
  expect(await list(world, '?q=pat%20rev')).toMatchObject({ total: 1, counts: { pending: 0, revoked: 1 } });
  expect((await list(world, '?q=%25')).total).toBe(0);
  expect((await list(world, '?_count=2&_offset=4')).rows).toHaveLength(1);
  const two = [accepted.membershipId, (await list(world, '?status=failed')).rows[0].membershipId];
  expect(await list(world, `?membership=${two.join()}`)).toMatchObject({
    total: 2,
    counts: { accepted: 1, failed: 1, pending: 0 },
  });
});

test('a revoked invitation leads nowhere: its link, a renewal, a further extension; an upsert brings it back', async () => {
  const world = await createWorld();
  const invited = await world.invite();
  const [{ linkId }] = (await list(world)).rows;
  const link = await linkOf(world, linkId);
  const revoked = await world.call('POST', `/invites/${link.id}/revoke`);
  expect(revoked.body).toMatchObject({ membershipId: invited.id, status: 'revoked', active: false });
  expectOutcome(await callAuth('POST', '/auth/setpassword', { body: { ...link, password: PASSWORD } }), 400, 'id');
  expectOutcome(await callAuth('POST', '/auth/link/renew', { body: link }), 400, 'id');
  for (const action of ['revoke', 'extend', 'link']) {
    expectOutcome(await world.call('POST', `/invites/${link.id}/${action}`), 409);
  }
  await world.invite({ email: invited.user.display, upsert: true });
  expect((await list(world)).rows[0]).toMatchObject({ membershipId: invited.id, status: 'pending', active: true });
  const audited = await db().select().from(auditEvent).where(eq(auditEvent.projectId, world.projectId));
  expect(audited.map((event) => event.action)).toContain('invite.revoke');
  expect(JSON.stringify(audited)).not.toContain(link.secret);
});

test('an expired link works again after an extension', async () => {
  const world = await createWorld();
  await world.invite();
  const [{ linkId }] = (await list(world)).rows;
  const link = await linkOf(world, linkId);
  await expire(world, link.id);
  const extended = await world.call('POST', `/invites/${link.id}/extend`, { body: { days: 3 } });
  expect(extended.body.status).toBe('pending');
  expect(Date.parse(extended.body.expiresAt) - Date.now()).toBeGreaterThan(2.99 * 86_400_000);
  expect((await callAuth('POST', '/auth/setpassword', { body: { ...link, password: PASSWORD } })).status).toBe(200);
  expectOutcome(await world.call('POST', `/invites/${link.id}/extend`), 409);
});

test('a link made to pass on is told once and ends the mailed one', async () => {
  const world = await createWorld();
  await world.invite();
  const [{ linkId }] = (await list(world)).rows;
  const first = await linkOf(world, linkId);
  const second = await linkOf(world, linkId);
  expect(second.id).not.toBe(first.id);
  expectOutcome(await callAuth('POST', '/auth/setpassword', { body: { ...first, password: PASSWORD } }), 400, 'id');
  const after = await list(world);
  expect(after.rows).toHaveLength(1);
  expect(after.rows[0]).toMatchObject({ linkId: second.id, channel: 'link', delivery: null, status: 'pending' });
  expect(JSON.stringify(after)).not.toContain(second.secret);
});

test('nobody is handed the link of a person whom another project knows', async () => {
  const [here, there] = [await createWorld(), await createWorld()];
  const { user } = await there.invite();
  await here.invite({ email: user.display });
  const [{ linkId }] = (await list(here)).rows;
  expectOutcome(await here.call('POST', `/invites/${linkId}/link`), 409);
});

test('who was added with a password already has accepted; an invite without mail was told to nobody', async () => {
  const world = await createWorld();
  await world.invite({ password: PASSWORD, lastName: 'Ready' });
  await world.invite({ sendEmail: false, lastName: 'Quiet' });
  const { rows } = await list(world);
  expect(rows.find((row: { name: string }) => row.name.endsWith('Ready'))).toMatchObject({
    status: 'accepted',
    linkId: null,
  });
  expect(rows.find((row: { name: string }) => row.name.endsWith('Quiet'))).toMatchObject({
    status: 'pending',
    channel: 'none',
  });
});

test('401 without a token, 403 for a member, the same 404 for another project’s link as for none; a super-admin may', async () => {
  const [world, other] = [await createWorld(), await createWorld()];
  await world.invite();
  const [{ linkId }] = (await list(world)).rows;
  for (const action of ['revoke', 'extend', 'link']) {
    expectOutcome(await world.call('POST', `/invites/${linkId}/${action}`, { bearer: null }), 401);
    expectOutcome(await world.call('POST', `/invites/${linkId}/${action}`, { bearer: other.owner.bearer }), 403);
    const foreign = await other.call('POST', `/invites/${linkId}/${action}`);
    const missing = await other.call('POST', `/invites/not-an-id/${action}`);
    expectOutcome(foreign, 404);
    expect(foreign.body).toEqual(missing.body);
  }
  expectOutcome(await world.call('GET', '/invites', { bearer: other.owner.bearer }), 403);
  const root = await createSuperAdmin();
  expect((await callApi(root, 'GET', `/admin/projects/${world.projectId}/invites`)).body.total).toBe(1);
});

test.each([
  ['?status=lost', 'status'],
  ['?_count=0', '_count'],
  ['?_count=x', '_count'],
  ['?_offset=-1', '_offset'],
  ['?state=pending', 'state'],
  ['?q=a&q=b', 'q'],
  ['?membership=x', 'membership'],
])('%s is refused by name', async (query, name) => {
  const world = await createWorld();
  expectOutcome(await world.call('GET', `/invites${query}`), 400, name);
});

test('days beyond thirty are refused', async () => {
  const world = await createWorld();
  expectOutcome(await world.call('POST', '/invites/x/extend', { body: { days: 31 } }), 400, 'days');
});
