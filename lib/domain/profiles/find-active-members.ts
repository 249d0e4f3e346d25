import { and, eq } from 'drizzle-orm';
import type { Queryable } from '#lib/infra/db/client.ts';
import { membershipKey } from '#lib/infra/db/schema/identity.ts';
import { isAnyOf } from '#lib/infra/db/text-array.ts';

/** The active memberships that stand on one of these profiles ("Patient/id") of a project, and whose they are. */
export async function findActiveMembers(
  tx: Queryable,
  projectId: string,
  profiles: string[],
): Promise<{ id: string; user: string; profile: string }[]> {
  return tx
    .select({ id: membershipKey.membershipId, user: membershipKey.userRef, profile: membershipKey.profileRef })
    .from(membershipKey)
    .where(
      and(
        eq(membershipKey.projectId, projectId),
        isAnyOf(membershipKey.profileRef, profiles),
        eq(membershipKey.active, true),
      ),
    );
}
