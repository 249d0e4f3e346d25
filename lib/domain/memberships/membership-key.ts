import { AppError } from '#lib/base/errors.ts';
import { uniqueViolation } from '#lib/infra/db/errors.ts';
import type { membershipKey } from '#lib/infra/db/schema/identity.ts';
import type { ProjectMembership } from '#lib/protocol/fhir/types.ts';
import { botTag } from '../access/cache-tags.ts';
import type { Write } from '../access/context.ts';

type Key = typeof membershipKey.$inferInsert;

/** What of a membership stands outside its JSON, where the database holds the rules. */
export function keyColumns(
  membership: ProjectMembership,
): Pick<Key, 'userRef' | 'profileRef' | 'externalId' | 'active' | 'admin'> {
  return {
    userRef: membership.user.reference ?? '',
    profileRef: membership.profile.reference ?? '',
    externalId: membership.externalId ?? null,
    active: membership.active !== false,
    admin: membership.admin === true,
  };
}

/** What was loaded of a bot when it had no membership ends when it has one, new or again. */
export function endNone(w: Write, { user }: ProjectMembership): void {
  const [type, id] = user.reference?.split('/') ?? [];
  if (type === 'Bot' && id) w.invalidate(botTag(id));
}

/** Runs a change of `membership_key`; losing to one of its unique indexes is a 409 that says which. */
export async function claim(run: () => Promise<unknown>): Promise<void> {
  try {
    await run();
  } catch (error) {
    const index = uniqueViolation(error);
    if (index === undefined) throw error;
    const cause = { cause: error };
    if (index === 'membership_key_external') {
      throw new AppError('conflict', 'A member with this externalId already exists', {
        ...cause,
        expression: 'externalId',
      });
    }
    throw new AppError('conflict', 'User is already a member of this project', cause);
  }
}

/** What the audit trail keeps of a membership: rights, not names. */
export function toFacts(membership: ProjectMembership): Record<string, unknown> {
  const { admin = false, active = true, profile, accessPolicy, access } = membership;
  return { admin, active, profile: profile.reference, accessPolicy: accessPolicy?.reference, access };
}
