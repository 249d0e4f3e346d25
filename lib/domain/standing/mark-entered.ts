import { sql } from 'drizzle-orm';
import type { Queryable } from '#lib/infra/db/client.ts';

type KeyOf = { projectId: string; membershipId: string };

/** Whether its invitation is open or over, as far as is stored: nobody has come in by it yet. */
export async function awaitsEntry(q: Queryable, { projectId, membershipId }: KeyOf): Promise<boolean> {
  const rows = await q.execute(sql`
    select 1 from membership_key where project_id = ${projectId} and membership_id = ${membershipId}
      and entered_at is null and invite_status in ('pending', 'expired', 'failed')`);
  return rows.length > 0;
}

/** They have come in, without a password. Of several at once one says so: false of the others. */
export async function markEntered(tx: Queryable, { projectId, membershipId }: KeyOf): Promise<boolean> {
  const rows = await tx.execute(sql`
    update membership_key set entered_at = now()
    where project_id = ${projectId} and membership_id = ${membershipId} and entered_at is null returning 1`);
  return rows.length > 0;
}
