import { AppError } from '#lib/base/errors.ts';
import type { Queryable } from '#lib/infra/db/client.ts';
import { lockName } from '#lib/infra/db/lock-name.ts';
import type { ProjectMembership } from '#lib/protocol/fhir/types.ts';
import { findActiveMembers } from './find-active-members.ts';

/**
 * Two people who are the same record to every policy would read each other's data, and to the audit log they would be one. Throws 409
 * when another person's active membership stands on the profile. Of two at once for one profile the second sees the first.
 */
export async function requireFreeProfile(
  tx: Queryable,
  projectId: string,
  { user, profile }: Pick<ProjectMembership, 'user' | 'profile'>,
  expression: string,
): Promise<void> {
  const reference = profile.reference ?? '';
  await lockName(tx, `profile:${projectId}:${reference}`);
  const members = await findActiveMembers(tx, projectId, [reference]);
  const other = members.find((member) => member.user !== user.reference);
  if (!other) return;
  throw new AppError('conflict', takenBy(other.id), { expression });
}

export function takenBy(membershipId: string): string {
  return `This is the profile of another active member already: ProjectMembership/${membershipId}`;
}
