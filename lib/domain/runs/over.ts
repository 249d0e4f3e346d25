import { sql } from 'drizzle-orm';
import type { OverRows } from '#lib/infra/db/sweep.ts';

/** Results of jobs: patients' data, so they are kept for thirty days. */
export const OVER: OverRows = { async_job: sql`t.finished_at < now() - interval '30 days'` };
