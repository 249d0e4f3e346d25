import { sql } from 'drizzle-orm';
import { db } from '../db/client.ts';
import { toInstant } from '../db/to-instant.ts';
import { jobs } from './jobs.ts';

const MOST = 10_000;

/** How many deliveries and events of a project wait, counted so far; and until when, where none of them may begin before. */
export async function countWaiting(projectId: string): Promise<{ waiting: number; waitingUntil: string | null }> {
  await jobs();
  const [row] = await db().execute<{ waiting: number; until: string | null }>(sql`
    select count(*)::int as waiting, case when min(w.start_after) > now() then min(w.start_after)::text end as until
    from (select start_after from pgboss.job where name in ('hook', 'ordered', 'event') and state < 'active' and not blocked and group_id = ${projectId}
      limit ${MOST}) as w`);
  return { waiting: row?.waiting ?? 0, waitingUntil: toInstant(row?.until ?? null) };
}
