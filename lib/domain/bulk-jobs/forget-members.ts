import { sql } from 'drizzle-orm';
import type { Queryable } from '#lib/infra/db/client.ts';
import { toTextArray } from '#lib/infra/db/text-array.ts';

/** What was done to these memberships stays told, and no longer to whom. */
export async function forgetMembers(tx: Queryable, projectId: string, memberships: readonly string[]): Promise<void> {
  if (memberships.length === 0) return;
  await tx.execute(sql`
    update bulk_job_row r set who = 'An erased person', message = null
    where project_id = ${projectId}::uuid and (state <> 'waiting' or exists (
        select from bulk_job j where j.project_id = ${projectId}::uuid and j.id = r.job_id and j.finished_at is not null)) and membership_id = any(${toTextArray(memberships)}::uuid[])`);
}
