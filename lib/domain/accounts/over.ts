import { sql } from 'drizzle-orm';
import type { OverRows } from '#lib/infra/db/sweep.ts';
import { REMOVED_KEPT_DAYS } from '#lib/protocol/answers/removed.ts';

/** What signed in a User who was deleted, when it can no longer come back. */
export function over(): OverRows {
  return {
    credential: {
      key: ['user_id'],
      which: sql.raw(`t.ended_at < now() - interval '${REMOVED_KEPT_DAYS} days'`),
    },
  };
}
