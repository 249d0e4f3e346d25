import { AppError, notFound } from '#lib/base/errors.ts';
import { isUuid } from '#lib/base/ids.ts';
import type { Queryable } from '#lib/infra/db/client.ts';
import type { Project } from '#lib/protocol/fhir/types.ts';
import { lockRow, requireLive } from '../store/find-row.ts';
import type { Row } from '../store/row.ts';
import { lockAdmins } from './guard-admins.ts';
import { shareProject } from './share-project.ts';

/** Version ids of If-Match, or `*`. */
export type IfMatch = string[] | '*';

/**
 * A membership that is about to change, with its project: both locked in the order that all changes of members keep. `isGuarded`: it may
 * become or cease to be that of an active administrator. Throws 404 for an unknown one or a malformed id, 410 for a removed one, 412 when
 * the caller saw another version.
 */
export async function lockMember(
  tx: Queryable,
  projectId: string,
  membershipId: string,
  ifMatch?: IfMatch,
  isGuarded = true,
): Promise<{ project: Project; current: Row }> {
  if (!isUuid(projectId) || !isUuid(membershipId)) throw notFound();
  if (isGuarded) await lockAdmins(tx, projectId);
  const project = await shareProject(tx, projectId);
  const current = requireLive(await lockRow(tx, projectId, 'ProjectMembership', membershipId));
  requireVersion(current, ifMatch);
  return { project, current };
}

/** Throws 412 when the caller saw another version. */
export function requireVersion(current: Row, ifMatch: IfMatch | undefined): void {
  if (!ifMatch || ifMatch === '*' || ifMatch.includes(String(current.version))) return;
  throw new AppError(
    'precondition-failed',
    `The membership was changed meanwhile: it is at version ${current.version}`,
  );
}
