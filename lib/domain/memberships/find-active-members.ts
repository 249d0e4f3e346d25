import { and, eq } from 'drizzle-orm';
import type { Queryable } from '#lib/infra/db/client.ts';
import { membershipKey } from '#lib/infra/db/schema/identity.ts';

/** Ids of the active memberships that stand on a profile ("Patient/id") of a project. */
export async function findActiveMembers(tx: Queryable, projectId: string, profile: string): Promise<string[]> {
  const rows = await tx
    .select({ id: membershipKey.membershipId })
    .from(membershipKey)
    .where(
      and(
        eq(membershipKey.projectId, projectId),
        eq(membershipKey.profileRef, profile),
        eq(membershipKey.active, true),
      ),
    );
  return rows.map(({ id }) => id);
}
