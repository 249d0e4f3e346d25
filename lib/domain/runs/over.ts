import { sql } from 'drizzle-orm';
import { env } from '#lib/base/env.ts';
import { isOlder, type OverRows } from '#lib/infra/db/sweep.ts';

/** Patients' data stands in what a job has answered, and in what a bot logs. */
export function over(): OverRows {
  const { RETAIN_JOBS_DAYS, RETAIN_RUNS_DAYS } = env();
  return {
    async_job: { key: ['project_id', 'id'], which: isOlder('t.finished_at', RETAIN_JOBS_DAYS) },
    bot_run: { key: ['project_id', 'id'], which: isOlder('t.started_at', RETAIN_RUNS_DAYS) },
    bot_running: { key: ['project_id', 'id'], which: sql`t.ends_by < now()` },
    bot_hour: { key: ['project_id', 'hour', 'bot_id'], which: sql`t.hour < now() - interval '30 days'` },
  };
}
