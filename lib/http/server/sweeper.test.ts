import { and, eq, inArray, isNotNull, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { newId, SERVER_SCOPE } from '#lib/base/ids.ts';
import { transaction, watchStatements } from '#lib/infra/db/client.ts';
import { lockName } from '#lib/infra/db/lock-name.ts';
import { asyncJob } from '#lib/infra/db/schema/async-job.ts';
import { credential, rateCounter } from '#lib/infra/db/schema/identity.ts';
import { login, oneTimeLink } from '#lib/infra/db/schema/login.ts';
import { bulkJob, bulkJobRow, devMail, idempotencyKey } from '#lib/infra/db/schema/operations.ts';
import { acceptedMember, operateUser } from '#lib/testing/accounts.ts';
import { makeClient, makeOwner, makePerson } from '#lib/testing/people.ts';
import { tellStanding } from '#lib/testing/set-up/check-standing.ts';
import { db } from '#lib/testing/set-up/own-db.ts';
import { createSuperAdmin, createWorld } from '#lib/testing/world.ts';
import { dropOver } from './sweeper.ts';

const DAY_MS = 24 * 3_600_000;
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS);

test('answers, counters and results go when they are over, and not before', async () => {
  const [projectId, old, young] = [newId(), newId(), newId()];
  const answer = { projectId, membershipId: newId(), requestHash: '', status: 200, headers: {}, body: '' };
  const job = { projectId, membershipId: newId(), status: 'completed', request: 'urn:x' } as const;
  await db()
    .insert(idempotencyKey)
    .values([
      { ...answer, key: 'old', createdAt: daysAgo(1.1) },
      { ...answer, key: 'new', createdAt: daysAgo(0.9) },
    ]);
  await db()
    .insert(rateCounter)
    .values([
      { key: old, count: 1, resetAt: daysAgo(0.01) },
      { key: young, count: 1, resetAt: daysAgo(-0.01) },
    ]);
  await db()
    .insert(asyncJob)
    .values([
      { ...job, id: newId(), finishedAt: daysAgo(31) },
      { ...job, id: newId(), request: 'urn:new', finishedAt: daysAgo(29) },
      { ...job, id: newId(), request: 'urn:open', status: 'active', requestedAt: daysAgo(31) },
    ]);
  await dropOver();
  const answers = await db().select().from(idempotencyKey).where(eq(idempotencyKey.projectId, projectId));
  expect(answers.map(({ key }) => key)).toEqual(['new']);
  const counters = await db()
    .select()
    .from(rateCounter)
    .where(inArray(rateCounter.key, [old, young]));
  expect(counters.map(({ key }) => key)).toEqual([young]);
  const jobs = await db().select().from(asyncJob).where(eq(asyncJob.projectId, projectId));
  expect(jobs.map(({ request }) => request).sort()).toEqual(['urn:new', 'urn:open']);
});

test('bulk jobs go with their rows thirty days after their end', async () => {
  const projectId = newId();
  const by = {
    actorProjectId: projectId,
    actorMembershipId: newId(),
    actor: 'Practitioner/x',
    requestId: 'r',
    remoteAddress: '',
  };
  const ends = { old: daysAgo(31), new: daysAgo(29), open: null };
  const ids = { old: newId(), new: newId(), open: newId() };
  for (const [name, finishedAt] of Object.entries(ends)) {
    const id = ids[name as keyof typeof ids];
    await db()
      .insert(bulkJob)
      .values({ projectId, id, kind: 'invite', ...by, createdAt: daysAgo(40), finishedAt });
    await db()
      .insert(bulkJobRow)
      .values([1, 2].map((number) => ({ projectId, jobId: id, number, who: name })));
  }
  await dropOver();
  const jobs = await db().select().from(bulkJob).where(eq(bulkJob.projectId, projectId));
  expect(jobs.map(({ id }) => id).sort()).toEqual([ids.new, ids.open].sort());
  const rows = await db().select().from(bulkJobRow).where(eq(bulkJobRow.projectId, projectId));
  expect(rows.map(({ who }) => who).sort()).toEqual(['new', 'new', 'open', 'open']);
});

test('the newest 500 development mails stay', async () => {
  await db().delete(devMail);
  const mail = { recipient: 'a@example.com', html: '', text: '' };
  const rows = Array.from({ length: 503 }, (_, n) => ({ ...mail, id: newId(), subject: `${n}`, at: daysAgo(n) }));
  await db().insert(devMail).values(rows);
  await dropOver();
  const left = (await db().select().from(devMail)).map(({ subject }) => Number(subject));
  expect([left.length, Math.max(...left)]).toEqual([500, 499]);
});

test('links go after ninety days, but for those that say how a member was invited', async () => {
  const owner = await makeOwner();
  const link = { userId: owner.userId, secretHash: '', expiresAt: daysAgo(-1) };
  const of = { projectId: owner.projectId, membershipId: owner.membershipId };
  const rows: [string, typeof oneTimeLink.$inferInsert][] = [
    ['spent', { ...link, id: newId(), kind: 'reset', usedAt: daysAgo(91) }],
    ['expired', { ...link, id: newId(), kind: 'reset', expiresAt: daysAgo(91) }],
    [
      'of nobody',
      {
        ...link,
        id: newId(),
        kind: 'invite',
        expiresAt: daysAgo(91),
        ...of,
        membershipId: newId(),
        membershipEndedAt: daysAgo(1),
      },
    ],
    ['recent', { ...link, id: newId(), kind: 'reset', usedAt: daysAgo(89) }],
    ['open', { ...link, id: newId(), kind: 'reset', createdAt: daysAgo(100) }],
    ['of a member', { ...link, id: newId(), kind: 'invite', expiresAt: daysAgo(91), ...of }],
  ];
  await db()
    .insert(oneTimeLink)
    .values(rows.map(([, row]) => row));
  await tellStanding(owner.projectId);
  await dropOver();
  const left = new Set((await db().select().from(oneTimeLink)).map(({ id }) => id));
  expect(rows.filter(([, { id }]) => left.has(id)).map(([name]) => name)).toEqual(['recent', 'open', 'of a member']);
});

test('logins go thirty days after their end, which a client may set; the last one of a member stays', async () => {
  const owner = await makeOwner();
  const client = await makeClient(owner.projectId, { accessTokenLifetime: '15m', refreshTokenLifetime: '26w' });
  const { userId } = await makePerson();
  const base = { authMethod: 'password', scope: 'openid', granted: true, authTime: new Date() } as const;
  const own = { ...base, userRef: `User/${owner.userId}`, projectId: owner.projectId };
  const robots = { ...base, userRef: client.profile, projectId: owner.projectId, clientId: client.id };
  const rows: [string, Omit<typeof login.$inferInsert, 'id'>][] = [
    ['revoked', { ...own, revoked: true, lastUsedAt: daysAgo(31) }],
    ['revoked lately', { ...own, revoked: true, lastUsedAt: daysAgo(29) }],
    ['ended', { ...own, lastUsedAt: daysAgo(45) }],
    ['ended lately', { ...own, lastUsedAt: daysAgo(43) }],
    ['of another membership, the last', { ...own, projectId: newId(), membershipId: newId(), lastUsedAt: daysAgo(45) }],
    ['today', { ...own, lastUsedAt: new Date() }],
    ['of a client', { ...robots, lastUsedAt: daysAgo(200) }],
    ['of a client, ended', { ...robots, lastUsedAt: daysAgo(213) }],
    ['of a client, the last', { ...robots, lastUsedAt: daysAgo(45) }],
    [
      'the only one',
      { ...base, projectId: SERVER_SCOPE, userRef: `User/${userId}`, revoked: true, lastUsedAt: daysAgo(900) },
    ],
  ];
  const made = rows.map(([name, row]) => ({ name, row: { ...row, id: newId() } }));
  await db()
    .insert(login)
    .values(made.map(({ row }) => row));
  await dropOver();
  const left = new Set((await db().select({ id: login.id }).from(login)).map(({ id }) => id));
  expect(made.filter(({ row }) => !left.has(row.id)).map(({ name }) => name)).toEqual([
    'revoked',
    'ended',
    'of a client, ended',
  ]);
});

test('the password of an account that ended with its membership goes when it can no longer come back', async () => {
  const world = await createWorld();
  const [old, young, moved] = [await acceptedMember(world), await acceptedMember(world), await acceptedMember(world)];
  await operateUser(await createSuperAdmin(), moved.userId, 'rescope', { scope: 'global' });
  await db().insert(credential).values({ userId: moved.userId, passwordHash: 'chosen anew' });
  for (const { id } of [old, young]) await world.call('DELETE', `/members/${id}`);
  const people = [old, young, moved].map(({ userId }) => userId);
  const kept = () => db().select().from(credential).where(inArray(credential.userId, people));
  await dropOver();
  expect(await kept()).toHaveLength(3);
  await db()
    .update(credential)
    .set({ endedAt: daysAgo(31) })
    .where(and(eq(credential.userId, old.userId), isNotNull(credential.endedAt)));
  await dropOver();
  expect((await world.call('POST', `/members/${young.id}/undo`, { body: { version: 1 } })).status).toBe(200);
  expect((await kept()).filter(({ endedAt }) => endedAt !== null)).toEqual([]);
  expect((await kept()).map(({ userId }) => userId).sort()).toEqual([young.userId, moved.userId].sort());
});

test('however many there are, in steps, each of one project', async () => {
  const projects = [newId(), newId()];
  for (const projectId of projects) {
    await db().execute(sql`
      insert into idempotency_key (project_id, membership_id, key, request_hash, status, headers, body, created_at)
      select ${projectId}::uuid, ${newId()}::uuid, n::text, '', 200, '{}', '', now() - interval '2 days' from generate_series(1, 4100) n`);
  }
  const sent: { text: string; params: unknown[] }[] = [];
  const stop = watchStatements((text, params) => sent.push({ text, params }));
  await dropOver().finally(stop);
  expect(await db().select().from(idempotencyKey).where(inArray(idempotencyKey.projectId, projects))).toEqual([]);
  const dropped = sent.filter(({ text }) => text.includes('delete from "idempotency_key"'));
  for (const projectId of projects)
    expect(dropped.filter(({ params }) => params.includes(projectId)).length).toBeGreaterThan(2);
  for (const { text, params } of dropped) {
    expect(text).not.toContain('ctid');
    expect(projects.filter((projectId) => params.includes(projectId)).length).toBeLessThan(2);
  }
});

test('what is changed at that moment stays', async () => {
  const key = newId();
  await db()
    .insert(rateCounter)
    .values({ key, count: 1, resetAt: daysAgo(1) });
  await transaction(async (tx) => {
    await tx
      .update(rateCounter)
      .set({ resetAt: daysAgo(-1) })
      .where(eq(rateCounter.key, key));
    await dropOver();
  });
  expect(await db().select().from(rateCounter).where(eq(rateCounter.key, key))).toHaveLength(1);
});

test('while another instance sweeps, this one does not', async () => {
  await db()
    .insert(rateCounter)
    .values({ key: 'waits', count: 1, resetAt: daysAgo(1) });
  const waiting = () => db().select().from(rateCounter).where(eq(rateCounter.key, 'waits'));
  await transaction(async (tx) => {
    // As `tryLease` names its only place.
    await lockName(tx, 'sweep/1');
    await dropOver();
    expect(await waiting()).toHaveLength(1);
  });
  await dropOver();
  expect(await waiting()).toEqual([]);
});
