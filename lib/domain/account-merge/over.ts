import { sql } from 'drizzle-orm';
import type { OverRows } from '#lib/infra/db/sweep.ts';

/** What nobody can go on with. */
export function over(): OverRows {
  return { account_merge: { key: ['login_id'], which: sql.raw('t.expires_at < now()') } };
}
