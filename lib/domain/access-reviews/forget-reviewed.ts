import { sql } from 'drizzle-orm';
import type { Queryable } from '#lib/infra/db/client.ts';
import { toTextArray } from '#lib/infra/db/text-array.ts';

/** What was decided about these memberships stays told, and no longer about whom. */
export async function forgetReviewed(tx: Queryable, projectId: string, memberships: readonly string[]): Promise<void> {
  if (memberships.length === 0) return;
  await tx.execute(sql`
    update access_review_row set who = 'An erased person', note = null, message = null
    where project_id = ${projectId}::uuid and membership_id = any(${toTextArray(memberships)}::uuid[])`);
}
