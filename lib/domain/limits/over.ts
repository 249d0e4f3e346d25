import { sql } from 'drizzle-orm';
import type { OverRows } from '#lib/infra/db/sweep.ts';

/** Counters whose window is over. */
export function over(): OverRows {
  return { rate_counter: { key: ['key'], which: sql`t.reset_at < now()` } };
}
