import { sql } from 'drizzle-orm';
import type { OverRows } from '#lib/infra/db/sweep.ts';

export const OVER: OverRows = {
  // Results of jobs: patients' data, so they are kept for thirty days.
  async_job: sql`t.finished_at < now() - interval '30 days'`,
  bot_hour: sql`t.hour < now() - interval '30 days'`,
};
