import { AppError } from '#lib/base/errors.ts';
import type { Queryable } from '#lib/infra/db/client.ts';
import { findActiveMembers } from './find-active-members.ts';

/**
 * For deleting a profile, after locking its row: an active membership without its profile is a login that cannot work.
 * Throws 409 with one issue for every membership that stands on it.
 */
export async function assertProfileUnused(tx: Queryable, projectId: string, profile: string): Promise<void> {
  const members = await findActiveMembers(tx, projectId, [profile]);
  if (members.length === 0) return;
  const issues = members.map(({ id }) => ({
    text: `${profile} is the profile of the active ProjectMembership/${id}; deactivate or remove that first`,
    expression: `ProjectMembership/${id}`,
  }));
  throw new AppError('conflict', issues[0]!.text, { issues });
}
