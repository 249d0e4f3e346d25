import { sql } from 'drizzle-orm';
import type { OverRows } from '#lib/infra/db/sweep.ts';

/** Links ninety days after their end. What a membership was invited by is told as long as it stands. */
export function over(): OverRows {
  return {
    one_time_link: {
      key: ['id'],
      which: sql`least(t.used_at, t.superseded_at, t.expires_at) < now() - interval '90 days' and not (t.kind = 'invite'
    and exists (select 1 from membership_key k where k.project_id = t.project_id and k.membership_id = t.membership_id))`,
    },
  };
}
