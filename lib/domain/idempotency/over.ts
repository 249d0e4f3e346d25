import { sql } from 'drizzle-orm';
import type { OverRows } from '#lib/infra/db/sweep.ts';

/** An answer is told again for a day. */
export const OVER: OverRows = { idempotency_key: sql`t.created_at < now() - interval '1 day'` };
