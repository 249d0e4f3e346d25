import { sql } from 'drizzle-orm';
import type { OverRows } from '#lib/infra/db/sweep.ts';

const IS_OVER = sql.raw(`finished_at < now() - interval '30 days'`);

/** Results of bulk jobs, thirty days after their end; a job goes when its rows are gone. */
export const OVER: OverRows = {
  bulk_job_row: sql`(t.project_id, t.job_id) in (select j.project_id, j.id from bulk_job j where j.${IS_OVER})`,
  bulk_job: sql`t.${IS_OVER} and not exists (
    select 1 from bulk_job_row r where r.project_id = t.project_id and r.job_id = t.id)`,
};
