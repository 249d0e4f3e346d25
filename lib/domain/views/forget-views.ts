import { sql } from 'drizzle-orm';
import type { Queryable } from '#lib/infra/db/client.ts';
import { toTextArray } from '#lib/infra/db/text-array.ts';

/** That somebody looked with the eyes of these memberships stays told, and no longer why: that is in somebody’s own words. */
export async function forgetViews(tx: Queryable, projectId: string, memberships: readonly string[]): Promise<void> {
  if (memberships.length === 0) return;
  await tx.execute(sql`
    update member_view set reason = ''
    where project_id = ${projectId}::uuid and membership_id = any(${toTextArray(memberships)}::uuid[])`);
}
