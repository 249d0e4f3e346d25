import { sql } from 'drizzle-orm';
import type { OverRows } from '#lib/infra/db/sweep.ts';

const IS_OVER = sql.raw(`finished_at < now() - interval '30 days'`);

/** Results of bulk jobs, thirty days after their end; a job goes when its rows are gone. */
export function over(): OverRows {
  return {
    bulk_job_row: {
      key: ['project_id', 'job_id', 'number'],
      which: sql`exists (select from bulk_job j where j.project_id = t.project_id and j.id = t.job_id and j.${IS_OVER})`,
    },
    bulk_job: {
      key: ['project_id', 'id'],
      which: sql`t.${IS_OVER} and not exists (
        select from bulk_job_row r where r.project_id = t.project_id and r.job_id = t.id)`,
    },
  };
}
