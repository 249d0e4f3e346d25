import { sql } from 'drizzle-orm';
import { env } from '#lib/base/env.ts';
import { isOlder, type OverRows } from '#lib/infra/db/sweep.ts';

/** Changes some time after their end: as long as the links that were mailed for them. */
export function over(): OverRows {
  const isOver = isOlder('coalesce(t.ended_at, t.expires_at)', env().RETAIN_LINKS_DAYS);
  return { account_change: { key: ['id'], which: isOver && sql`${isOver}` } };
}
