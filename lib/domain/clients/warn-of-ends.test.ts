import { and, eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { clientNamedSecret } from '#lib/infra/db/schema/clients.ts';
import { mail } from '#lib/infra/db/schema/operations.ts';
import { auditOf } from '#lib/testing/accounts.ts';
import { CTX, makeClient } from '#lib/testing/people.ts';
import { db } from '#lib/testing/set-up/own-db.ts';
import { createWorld } from '#lib/testing/world.ts';
import { warnOfEnds } from './warn-of-ends.ts';

const DAY_MS = 86_400_000;

test('administrators hear of a secret that ends in two weeks, and once more in three days; others do not, and of no other secret', async () => {
  const world = await createWorld();
  const client = await makeClient(world.projectId, { name: 'Lab feed' });
  const ends = Date.now() + 100 * DAY_MS;
  const add = async (name: string, at?: number) => {
    const expiresAt = at === undefined ? undefined : new Date(at).toISOString();
    const made = await world.call('POST', `/clients/${client.id}/secrets`, { body: { name, expiresAt } });
    expect(made.status, made.text).toBe(201);
  };
  await add('Night job', ends);
  await add('Later', ends + 60 * DAY_MS);
  await add('For ever');
  await world.invite();
  const second = await world.invite({ admin: true });
  const told = async () => {
    const rows = await db()
      .select({ recipient: mail.recipient })
      .from(mail)
      .where(and(eq(mail.projectId, world.projectId), eq(mail.template, 'secret-ends')));
    return rows.map(({ recipient }) => recipient).sort();
  };
  const both = [world.owner.email, second.user.display ?? ''].sort();
  const daysBefore = (days: number) => ends - days * DAY_MS;
  await warnOfEnds(CTX, undefined, daysBefore(15));
  expect(await told()).toEqual([]);
  for (const days of [13, 12, 5]) await warnOfEnds(CTX, undefined, daysBefore(days));
  expect(await told()).toEqual(both);
  await Promise.all([1, 2, 3].map(() => warnOfEnds(CTX, undefined, daysBefore(2))));
  await warnOfEnds(CTX, undefined, daysBefore(1));
  expect(await told()).toEqual([...both, ...both].sort());
  await warnOfEnds(CTX, undefined, ends + 1);
  expect(await told()).toHaveLength(4);
  expect(await auditOf(world.projectId, `ClientApplication/${client.id}`)).toContain('client.secret.warn');
  const rows = await db().select().from(clientNamedSecret).where(eq(clientNamedSecret.clientId, client.id));
  expect(Object.fromEntries(rows.map((row) => [row.name, row.warnedDays]))).toEqual({
    'Night job': 3,
    Later: null,
    'For ever': null,
  });
});
