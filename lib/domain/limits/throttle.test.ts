import { eq, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { newId } from '#lib/base/ids.ts';
import { hashSecret } from '#lib/infra/crypto/secret.ts';
import { rateCounter } from '#lib/infra/db/schema/identity.ts';
import { db } from '#lib/testing/set-up/own-db.ts';
import { clearThrottle, throttle } from './throttle.ts';

async function tries(key: string, count: number, limit: number): Promise<number> {
  const all = await Promise.allSettled(Array.from({ length: count }, () => throttle(key, limit)));
  return all.filter(({ status }) => status === 'fulfilled').length;
}

test('of many at the same moment exactly the limit gets through', async () => {
  expect(await tries(newId(), 50, 10)).toBe(10);
});

test('the refusal says when to come back, and trying on does not push that away', async () => {
  const key = newId();
  await tries(key, 3, 3);
  await db()
    .update(rateCounter)
    .set({ resetAt: sql`now() + interval '90 seconds'` })
    .where(eq(rateCounter.key, hashSecret(key)));
  for (let round = 0; round < 2; round++) {
    await expect(throttle(key, 3)).rejects.toMatchObject({
      code: 'too-many-requests',
      message: 'Too many attempts; try again in 2 minutes',
      options: { retryAfterSeconds: 90 },
    });
  }
});

test('after its time a counter starts again', async () => {
  const key = newId();
  await tries(key, 5, 3);
  await db()
    .update(rateCounter)
    .set({ resetAt: sql`now()` })
    .where(eq(rateCounter.key, hashSecret(key)));
  expect(await tries(key, 5, 3)).toBe(3);
});

test('forgiving begins anew, and one key is not another', async () => {
  const [a, b] = [newId(), newId()];
  await tries(a, 3, 3);
  expect(await tries(b, 3, 3)).toBe(3);
  await clearThrottle(a);
  expect(await tries(a, 3, 3)).toBe(3);
});

test('no address stands in the table', async () => {
  await throttle('login::ada@example.com');
  expect(JSON.stringify(await db().select().from(rateCounter))).not.toContain('@');
});
