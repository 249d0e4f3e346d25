import { sql } from 'drizzle-orm';
import { env } from '#lib/base/env.ts';
import { isOlder, type OverRows } from '#lib/infra/db/sweep.ts';

/** Links some time after their end. What a membership was invited by is told as long as it stands. */
export function over(): OverRows {
  const isOver = isOlder('least(t.used_at, t.superseded_at, t.expires_at)', env().RETAIN_LINKS_DAYS);
  return {
    one_time_link: {
      key: ['id'],
      which: isOver && sql`${isOver} and (t.kind <> 'invite' or t.membership_ended_at is not null)`,
    },
  };
}
