import { and, eq } from 'drizzle-orm';
import { AppError } from '#lib/base/errors.ts';
import type { Queryable } from '#lib/infra/db/client.ts';
import { membershipKey } from '#lib/infra/db/schema/identity.ts';

/**
 * For deleting a profile, after locking its row: an active membership without its profile is a login that cannot work.
 * Throws 409 with one issue for every membership that stands on it.
 */
export async function assertProfileUnused(tx: Queryable, projectId: string, profile: string): Promise<void> {
  const users = await tx
    .select({ id: membershipKey.membershipId })
    .from(membershipKey)
    .where(
      and(
        eq(membershipKey.projectId, projectId),
        eq(membershipKey.profileRef, profile),
        eq(membershipKey.active, true),
      ),
    );
  if (users.length === 0) return;
  const issues = users.map(({ id }) => ({
    text: `${profile} is the profile of the active ProjectMembership/${id}; deactivate or remove that first`,
    expression: `ProjectMembership/${id}`,
  }));
  throw new AppError('conflict', issues[0]!.text, { issues });
}
