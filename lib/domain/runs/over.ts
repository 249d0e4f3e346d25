import { sql } from 'drizzle-orm';
import type { OverRows } from '#lib/infra/db/sweep.ts';

/** Results of jobs: patients' data, so they are kept for thirty days; and what is counted of bots by the hour. */
export function over(): OverRows {
  return {
    async_job: { key: ['project_id', 'id'], which: sql`t.finished_at < now() - interval '30 days'` },
    bot_hour: { key: ['project_id', 'hour', 'bot_id'], which: sql`t.hour < now() - interval '30 days'` },
  };
}
