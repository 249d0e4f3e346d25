import { sql } from 'drizzle-orm';
import type { Queryable } from '#lib/infra/db/client.ts';

/** What bots said and answered that names something: that they ran stays. */
export async function forgetRuns(tx: Queryable, projectId: string, name: string): Promise<void> {
  await tx.execute(sql`
    update bot_run set message = null, logs = null
    where project_id = ${projectId}::uuid and position(${name}::text in coalesce(message, '') || coalesce(logs::text, '')) > 0`);
  await tx.execute(sql`
    delete from async_job where project_id = ${projectId}::uuid and finished_at is not null
      and position(${name}::text in request || coalesce(output, '')) > 0`);
}
