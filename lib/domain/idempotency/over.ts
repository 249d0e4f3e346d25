import { sql } from 'drizzle-orm';
import type { OverRows } from '#lib/infra/db/sweep.ts';

/** An answer is told again for a day. */
export function over(): OverRows {
  return {
    idempotency_key: {
      key: ['project_id', 'membership_id', 'key'],
      which: sql`t.created_at < now() - interval '1 day'`,
    },
  };
}
