import { sql } from 'drizzle-orm';
import type { Queryable } from '#lib/infra/db/client.ts';
import { toTextArray } from '#lib/infra/db/text-array.ts';

/** What was decided about what these memberships asked for stays told, and no longer in anybody’s words. */
export async function forgetRequests(tx: Queryable, projectId: string, memberships: readonly string[]): Promise<void> {
  if (memberships.length === 0) return;
  await tx.execute(sql`
    update access_request set reason = '', answer = null
    where project_id = ${projectId}::uuid and membership_id = any(${toTextArray(memberships)}::uuid[])`);
}
