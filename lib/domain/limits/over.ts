import { sql } from 'drizzle-orm';
import type { OverRows } from '#lib/infra/db/sweep.ts';

/** Counters whose window is over. */
export const OVER: OverRows = { rate_counter: sql`t.reset_at < now()` };
