import { sql } from 'drizzle-orm';
import { env } from '#lib/base/env.ts';
import { isOlder, type OverRows } from '#lib/infra/db/sweep.ts';

/** Results of bulk jobs, after their end; a job goes when its rows are gone. */
export function over(): OverRows {
  const { RETAIN_JOBS_DAYS } = env();
  const [ofRow, own] = [isOlder('j.finished_at', RETAIN_JOBS_DAYS), isOlder('t.finished_at', RETAIN_JOBS_DAYS)];
  return {
    bulk_job_row: {
      key: ['project_id', 'job_id', 'number'],
      which:
        ofRow &&
        sql`exists (select from bulk_job j where j.project_id = t.project_id and j.id = t.job_id and ${ofRow})`,
    },
    bulk_job: {
      key: ['project_id', 'id'],
      which:
        own &&
        sql`${own} and not exists (
        select from bulk_job_row r where r.project_id = t.project_id and r.job_id = t.id)`,
    },
  };
}
