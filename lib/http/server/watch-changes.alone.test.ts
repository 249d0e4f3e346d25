import { eq } from 'drizzle-orm';
import { expect, onTestFinished, test, vi } from 'vitest';
import { newId, SERVER_SCOPE } from '#lib/base/ids.ts';
import { pace } from '#lib/base/pace.ts';
import { accountChange } from '#lib/infra/db/schema/account-change.ts';
import { makePerson } from '#lib/testing/people.ts';
import { db } from '#lib/testing/set-up/own-db.ts';
import { anEmail } from '#lib/testing/world.ts';
import { startChanges } from './watch-changes.ts';

/** As a process leaves it that was killed: confirmed, and due by now. */
async function leave(userId: string, email: string, dueAt: Date): Promise<string> {
  const id = newId();
  const hashes = { stopHash: newId(), confirmHash: newId(), confirmedAt: new Date() };
  const row = {
    id,
    kind: 'address' as const,
    userId,
    scope: SERVER_SCOPE,
    askedBy: `User/${userId}`,
    detail: { email },
  };
  await db()
    .insert(accountChange)
    .values({ ...row, ...hashes, dueAt, expiresAt: new Date(dueAt.getTime() + 60_000) });
  return id;
}

test('what a killed process left is done by the next one as soon as it starts, and what comes due, while it runs', async () => {
  const before = pace.changeWatchMs;
  pace.changeWatchMs = 20;
  onTestFinished(() => {
    pace.changeWatchMs = before;
  });
  const [person, other] = [await makePerson(), await makePerson()];
  const [first, second] = [anEmail(), anEmail()];
  const left = await leave(person.userId, first, new Date());
  const stop = startChanges();
  onTestFinished(stop);
  const outcomeOf = async (id: string) => {
    const [row] = await db().select().from(accountChange).where(eq(accountChange.id, id));
    return row?.outcome;
  };
  await vi.waitFor(async () => expect(await outcomeOf(left)).toBe('done'), 10_000);
  const later = await leave(other.userId, second, new Date(Date.now() + 300));
  expect(await outcomeOf(later)).toBeNull();
  await vi.waitFor(async () => expect(await outcomeOf(later)).toBe('done'), 10_000);
});
