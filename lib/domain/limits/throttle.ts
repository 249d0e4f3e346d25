import { sql } from 'drizzle-orm';
import { AppError } from '#lib/base/errors.ts';
import { hashSecret } from '#lib/infra/crypto/secret.ts';
import { db } from '#lib/infra/db/client.ts';

const WINDOW_SECONDS = 15 * 60;

/**
 * Counts an attempt and throws 429 past `limit` in 15 minutes, on every instance together. The key is hashed: addresses do not stand in
 * the table. `clearThrottle` forgives after a success.
 */
export async function throttle(key: string, limit = 10): Promise<void> {
  const [row] = await db().execute<{ count: number; wait: number }>(sql`
    insert into rate_counter (key, count, reset_at) values (${hashSecret(key)}, 1, now() + make_interval(secs => ${WINDOW_SECONDS}))
    on conflict (key) do update set
      count = case when rate_counter.reset_at <= now() then 1 else rate_counter.count + 1 end,
      reset_at = case when rate_counter.reset_at <= now() then excluded.reset_at else rate_counter.reset_at end
    returning count, ceil(extract(epoch from reset_at - now()))::int as wait`);
  if (row && row.count > limit) {
    const seconds = Math.max(1, row.wait);
    throw new AppError('too-many-requests', `Too many attempts; try again ${inMinutes(seconds)}`, {
      retryAfterSeconds: seconds,
    });
  }
}

function inMinutes(seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  return minutes === 1 ? 'in a minute' : `in ${minutes} minutes`;
}

export async function clearThrottle(key: string): Promise<void> {
  await db().execute(sql`delete from rate_counter where key = ${hashSecret(key)}`);
}

/** For mail that an administrator sends again: nobody's mailbox is filled, however many projects they are in. Throws 429. */
export async function throttleMailTo(email: string): Promise<void> {
  await throttle(`mail-to:${email.toLowerCase()}`, 10);
}
