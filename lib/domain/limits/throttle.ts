import { sql } from 'drizzle-orm';
import { AppError } from '#lib/base/errors.ts';
import { hashSecret } from '#lib/infra/crypto/secret.ts';
import { db, type Queryable } from '#lib/infra/db/client.ts';

export const WINDOW_SECONDS = 15 * 60;

export type ThrottleOptions = {
  /** Default: 15 minutes. */
  windowSeconds?: number;
  /** What the refusal says instead of when to come back. */
  refusal?: string;
};

/**
 * Counts an attempt and throws 429 past `limit` in a window, on every instance together. Of the key nothing stands in what the caller may
 * vary: an account, a mailbox, a network (`networkOf`). It is hashed: addresses do not stand in the table. `clearThrottle` forgives
 * all, `takeBack` the one attempt.
 */
export async function throttle(key: string, limit = 10, options: ThrottleOptions = {}): Promise<void> {
  const { windowSeconds = WINDOW_SECONDS, refusal } = options;
  const { count, wait } = await takeRoom(key, windowSeconds, limit);
  if (count > limit) throw tooMany(wait, refusal);
}

type Counted = { count: number; wait: number };

/** Counts one, or `by` at once, to no more than that past `limit`. */
export async function takeRoom(key: string, windowSeconds: number, limit = 2 ** 30, by = 1): Promise<Counted> {
  const [row] = await db().execute<Counted>(sql`
    insert into rate_counter (key, count, reset_at) values (${hashSecret(key)}, ${by}, now() + make_interval(secs => ${windowSeconds}))
    on conflict (key) do update set
      count = case when rate_counter.reset_at <= now() then excluded.count else least(rate_counter.count, ${limit}) + excluded.count end,
      reset_at = case when rate_counter.reset_at <= now() then excluded.reset_at else rate_counter.reset_at end
    returning count, ceil(extract(epoch from reset_at - now()))::int as wait`);
  return row ?? { count: 0, wait: 0 };
}

/** Throws 429 when `limit` is reached, without counting. By way of the transaction that is open: a second connection may be one too many. */
export async function requireRoom(q: Queryable, key: string, limit: number, refusal?: string): Promise<void> {
  const [row] = await q.execute<Counted>(sql`
    select count, ceil(extract(epoch from reset_at - now()))::int as wait from rate_counter
    where key = ${hashSecret(key)} and reset_at > now()`);
  if (row && row.count >= limit) throw tooMany(row.wait, refusal);
}

export function tooMany(wait: number, refusal?: string): AppError {
  const seconds = Math.max(1, wait);
  return new AppError('too-many-requests', refusal ?? `Too many attempts; try again ${inMinutes(seconds)}`, {
    retryAfterSeconds: seconds,
  });
}

function inMinutes(seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  if (minutes > 90) return `in ${Math.ceil(minutes / 60)} hours`;
  return minutes === 1 ? 'in a minute' : `in ${minutes} minutes`;
}

export async function clearThrottle(key: string): Promise<void> {
  await db().execute(sql`delete from rate_counter where key = ${hashSecret(key)}`);
}

/** The attempt that was just counted was none: it had leave, or was refused before it told anything. */
export async function takeBack(key: string): Promise<void> {
  await db().execute(
    sql`update rate_counter set count = count - 1 where key = ${hashSecret(key)} and count > 0 and reset_at > now()`,
  );
}

/** For mail that an administrator sends again: nobody's mailbox is filled, however many projects they are in. Throws 429. */
export async function throttleMailTo(email: string): Promise<void> {
  await throttle(`mail-to:${email.toLowerCase()}`, 10);
}
