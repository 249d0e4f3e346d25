import { sql } from 'drizzle-orm';
import { env } from '#lib/base/env.ts';
import { isOlder, type OverRows } from '#lib/infra/db/sweep.ts';

/** An event that ended is known by its key for a while; one whose dead letter is gone is over, too. */
export function over(): OverRows {
  const { RETAIN_IDEMPOTENCY_DAYS, RETAIN_DEAD_LETTERS_DAYS } = env();
  const ended = isOlder('t.ended_at', RETAIN_IDEMPOTENCY_DAYS);
  return {
    dead_letter: { key: ['project_id', 'id'], which: isOlder('t.last_failed_at', RETAIN_DEAD_LETTERS_DAYS) },
    bot_event: {
      key: ['project_id', 'id'],
      which:
        ended &&
        ((projectId) => sql`${ended} and (t.state = 'ended' or t.state = 'dead' and not exists (
          select 1 from dead_letter d where d.project_id = ${projectId}::uuid and d.id = t.id))`),
    },
  };
}
