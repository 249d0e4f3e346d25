import { and, eq } from 'drizzle-orm';
import { expect, onTestFinished, test } from 'vitest';
import type { Env } from '#lib/base/env.ts';
import { newId } from '#lib/base/ids.ts';
import { transaction } from '#lib/infra/db/client.ts';
import { botRun } from '#lib/infra/db/schema/bots.ts';
import { auditEvent, mail } from '#lib/infra/db/schema/operations.ts';
import { jobs } from '#lib/infra/jobs/jobs.ts';
import { queueMail } from '#lib/infra/mail/queue-mail.ts';
import { changeSettings } from '#lib/testing/change-settings.ts';
import { tellStanding } from '#lib/testing/set-up/check-standing.ts';
import { db } from '#lib/testing/set-up/own-db.ts';
import { createWorld } from '#lib/testing/world.ts';
import { dropOver } from './sweeper.ts';

const daysAgo = (days: number) => new Date(Date.now() - days * 24 * 3_600_000);

function settings(changes: Partial<Env>): void {
  onTestFinished(changeSettings(changes));
}

test('runs of bots go as the settings say, or never', async () => {
  const [projectId, botId] = [newId(), newId()];
  const run = { projectId, botId, trigger: 'http', status: 'ok', durationMs: 1, requestId: '' } as const;
  await db()
    .insert(botRun)
    .values([91, 89, 2].map((days) => ({ ...run, id: newId(), startedAt: daysAgo(days), message: `${days}` })));
  const left = async () => {
    await dropOver();
    const rows = await db().select().from(botRun).where(eq(botRun.projectId, projectId));
    return rows.map(({ message }) => Number(message)).sort();
  };
  settings({ RETAIN_RUNS_DAYS: 'forever' });
  expect(await left()).toEqual([2, 89, 91]);
  settings({ RETAIN_RUNS_DAYS: 90 });
  expect(await left()).toEqual([2, 89]);
  settings({ RETAIN_RUNS_DAYS: 1 });
  expect(await left()).toEqual([]);
});

test('mails go by their age; what invited a member stays as long as the member', async () => {
  const { projectId, owner } = await createWorld();
  const row = { projectId, recipient: 'a@example.com', state: 'sent' } as const;
  const mails: [string, Partial<typeof mail.$inferInsert>][] = [
    ['old', { template: 'reset', createdAt: daysAgo(91) }],
    ['young', { template: 'reset', createdAt: daysAgo(89) }],
    ['invited a member', { template: 'invite', createdAt: daysAgo(91), membershipId: owner.membershipId }],
    ['to a member', { template: 'password-changed', createdAt: daysAgo(91), membershipId: owner.membershipId }],
    ['invited somebody who is gone', { template: 'invite', createdAt: daysAgo(91), membershipId: newId() }],
  ];
  const made = mails.map(([name, fields]) => ({ template: '', ...row, id: newId(), error: name, ...fields }));
  await db().insert(mail).values(made);
  await tellStanding(projectId);
  await dropOver();
  const left = await db().select().from(mail).where(eq(mail.projectId, projectId));
  expect(left.map(({ error }) => error).sort()).toEqual(['invited a member', 'young']);
});

test('a mail that nobody will send any more keeps no link; one that waits does', async () => {
  await jobs();
  const { projectId } = await createWorld();
  const queue = (template: 'reset' | 'invite') =>
    transaction((tx) => queueMail(tx, { projectId, template, recipient: 'a@example.com', params: { url: 'x' } }));
  const [waiting, lost, young] = [await queue('reset'), newId(), newId()];
  const row = {
    projectId,
    template: 'reset',
    recipient: 'a@example.com',
    paramsSealed: 'v2.x',
    state: 'queued',
  } as const;
  await db()
    .insert(mail)
    .values([lost, young].map((id) => ({ ...row, id })));
  for (const id of [waiting, lost])
    await db()
      .update(mail)
      .set({ createdAt: daysAgo(3) })
      .where(and(eq(mail.projectId, projectId), eq(mail.id, id)));
  await dropOver();
  const rows = await db().select().from(mail).where(eq(mail.projectId, projectId));
  const [one, two, three] = [waiting, lost, young].map((id) => rows.find((row) => row.id === id));
  expect([one?.state, one?.paramsSealed]).toEqual(['queued', expect.stringMatching(/^v2/)]);
  expect([two?.state, two?.paramsSealed, two?.error]).toEqual(['failed', null, 'It was never sent']);
  expect([three?.state, three?.paramsSealed]).toEqual(['queued', 'v2.x']);
});

test('the audit log stays, unless the settings say otherwise; then it tells of each project what went', async () => {
  const [projectId, other] = [newId(), newId()];
  const event = { action: 'resource.read', target: 'Patient/1', requestId: '' };
  await db()
    .insert(auditEvent)
    .values([
      ...[2194, 2193.5, 2190].map((days) => ({ ...event, projectId, id: newId(), at: daysAgo(days) })),
      { ...event, projectId: other, id: newId(), at: daysAgo(2190) },
    ]);
  const actions = async (of: string) => {
    await dropOver();
    const rows = await db().select().from(auditEvent).where(eq(auditEvent.projectId, of));
    return rows
      .map(({ action, target, after }) => ({ action, target, after }))
      .sort((a, b) => (a.action < b.action ? -1 : 1));
  };
  expect(await actions(projectId)).toHaveLength(3);
  settings({ RETAIN_AUDIT_DAYS: 2192 });
  const before = `${daysAgo(2192).toISOString().slice(0, 10)}T00:00:00.000Z`;
  const told = {
    action: 'audit.sweep',
    target: `Project/${projectId}`,
    after: { rows: 2, before, start: { seq: 2, hash: expect.stringMatching(/^[0-9a-f]{64}$/) } },
  };
  const kept = { action: 'resource.read', target: 'Patient/1', after: null };
  expect(await actions(projectId)).toEqual([told, kept]);
  // Nothing to drop is nothing to tell.
  expect(await actions(projectId)).toEqual([told, kept]);
  expect(await actions(other)).toEqual([kept]);
});
