import { and, eq } from 'drizzle-orm';
import type { Queryable } from '#lib/infra/db/client.ts';
import { membershipKey } from '#lib/infra/db/schema/identity.ts';

/** The active memberships that stand on a profile ("Patient/id") of a project, and whose they are. */
export async function findActiveMembers(
  tx: Queryable,
  projectId: string,
  profile: string,
): Promise<{ id: string; user: string }[]> {
  return tx
    .select({ id: membershipKey.membershipId, user: membershipKey.userRef })
    .from(membershipKey)
    .where(
      and(
        eq(membershipKey.projectId, projectId),
        eq(membershipKey.profileRef, profile),
        eq(membershipKey.active, true),
      ),
    );
}
