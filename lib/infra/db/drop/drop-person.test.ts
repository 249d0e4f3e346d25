import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { db } from '#lib/testing/set-up/own-db.ts';
import { createWorld } from '#lib/testing/world.ts';
import { botEvent, deadLetter } from '../schema/bot-events.ts';
import { botAlert, botRun } from '../schema/bots.ts';
import { dropMember } from './drop-person.ts';

const EMAIL = 'zoe@example.org';

async function dropZoe(projectId: string, membershipId: string): Promise<void> {
  await dropMember(db(), projectId, { userId: randomUUID(), emails: [EMAIL], memberships: [membershipId] });
}

test('what bots were told of their bounced mails goes, however the address is written; what they were told of others stays', async () => {
  const { projectId } = await createWorld();
  const [membershipId, botId, other] = [randomUUID(), randomUUID(), randomUUID()];
  const told = [
    ['Zoe@Example.org', 'mail'],
    [`ProjectMembership/${membershipId}`, 'replay'],
    ['ann@example.org', 'mail'],
    [EMAIL, 'http'],
    [`Jo.${EMAIL}`, 'mail'],
    [`${EMAIL}.uk`, 'mail'],
    [`the address ${EMAIL}.`, 'mail'],
  ] as const;
  const ids = told.map(() => randomUUID());
  const at = new Date();
  for (const [index, [whom, trigger]] of told.entries()) {
    const [id, input] = [ids[index]!, JSON.stringify({ of: whom })];
    await db()
      .insert(botRun)
      .values({
        ...{ projectId, id, botId, trigger, input, inputType: 'json', status: 'ok' as const },
        startedAt: at,
        durationMs: 1,
        requester: `Bot/${other}`,
        requestId: id,
      });
    await db()
      .insert(botEvent)
      .values({
        projectId,
        id,
        botId,
        trigger: trigger === 'replay' ? 'mail' : trigger,
        key: id,
        state: 'dead',
        input,
      });
    const letter = { trigger, job: {}, focus: `mail ${id}`, attempts: 1, firstFailedAt: at, lastFailedAt: at };
    await db()
      .insert(deadLetter)
      .values({ projectId, id, botId, ...letter, message: 'no', fingerprint: 'f' });
  }
  await dropZoe(projectId, membershipId);
  const runs = await db().select().from(botRun).where(eq(botRun.projectId, projectId));
  const events = await db().select().from(botEvent).where(eq(botEvent.projectId, projectId));
  const letters = await db().select().from(deadLetter).where(eq(deadLetter.projectId, projectId));
  const kept = (rows: { id: string; input?: string | null }[]) =>
    ids.map((id) => rows.find((row) => row.id === id)?.input != null);
  expect(kept(runs)).toEqual([false, false, true, true, true, true, false]);
  expect(kept(events)).toEqual([false, false, true, true, true, true, false]);
  expect(ids.map((id) => letters.some((letter) => letter.id === id))).toEqual([
    false,
    false,
    true,
    true,
    true,
    true,
    false,
  ]);
});

test('no alert goes to their address any more: to the others that it names, or to all', async () => {
  const { projectId } = await createWorld();
  const bots = [randomUUID(), randomUUID(), randomUUID()];
  const named = [['Zoe@example.org', 'ann@example.org'], [EMAIL], null];
  for (const [index, recipients] of named.entries())
    await db().insert(botAlert).values({ projectId, botId: bots[index]!, silentHours: 1, recipients });
  await dropZoe(projectId, randomUUID());
  const alerts = await db().select().from(botAlert).where(eq(botAlert.projectId, projectId));
  expect(bots.map((id) => alerts.find(({ botId }) => botId === id)?.recipients)).toEqual([
    ['ann@example.org'],
    null,
    null,
  ]);
});
