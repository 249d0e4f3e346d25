import { sql } from 'drizzle-orm';
import type { OverRows } from '#lib/infra/db/sweep.ts';

/** Mails that nobody signed in by. */
export function over(): OverRows {
  return { sign_in_link: { key: ['id'], which: sql`t.expires_at < now()` } };
}
