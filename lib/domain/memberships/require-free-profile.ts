import { AppError } from '#lib/base/errors.ts';
import type { Queryable } from '#lib/infra/db/client.ts';
import type { ProjectMembership } from '#lib/protocol/fhir/types.ts';
import { findActiveMembers } from './find-active-members.ts';

/**
 * Two people who are the same record to every policy would read each other's data, and to the audit log they would be one. Throws 409
 * when another person's active membership stands on the profile. Under `lockAdmins`, so that nothing comes between.
 */
export async function requireFreeProfile(
  tx: Queryable,
  projectId: string,
  { user, profile }: Pick<ProjectMembership, 'user' | 'profile'>,
  expression: string,
): Promise<void> {
  const members = await findActiveMembers(tx, projectId, profile.reference ?? '');
  const other = members.find((member) => member.user !== user.reference);
  if (!other) return;
  const text = `This is the profile of another active member already: ProjectMembership/${other.id}`;
  throw new AppError('conflict', text, { expression });
}
