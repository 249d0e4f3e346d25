import { AppError, notFound } from '#lib/base/errors.ts';
import { isUuid } from '#lib/base/ids.ts';
import type { Queryable } from '#lib/infra/db/client.ts';
import type { ProjectMembership } from '#lib/protocol/fhir/types.ts';
import { type Ctx, requireProjectAdmin } from '../access/context.ts';
import { write } from '../audit/write.ts';
import { findVersion } from '../store/find-history.ts';
import { lockRow } from '../store/find-row.ts';
import { type Row, toResource } from '../store/row.ts';
import { changeMembership } from './change-membership.ts';
import type { EditOptions } from './edit-member.ts';
import { lockAdmins } from './guard-admins.ts';
import { requireVersion } from './lock-member.ts';
import { restoreMembership } from './restore-membership.ts';
import { shareProject } from './share-project.ts';

/**
 * Brings a membership back to what an earlier version of it says of role, access, dates and being active, under the same guards as any change;
 * a removed one comes back with its id (`restoreMembership`). Throws 404 for an unknown one, 400 for a version that it has not had, 412
 * when the caller saw another version, 409 when it cannot be.
 */
export async function undoMember(
  ctx: Ctx,
  projectId: string,
  membershipId: string,
  version: number,
  { ifMatch, force = false }: EditOptions = {},
): Promise<Row> {
  const actor = requireProjectAdmin(ctx, projectId);
  if (!isUuid(projectId) || !isUuid(membershipId)) throw notFound();
  return write(ctx, async (w) => {
    await lockAdmins(w.tx, projectId);
    const project = await shareProject(w.tx, projectId);
    const current = await lockRow(w.tx, projectId, 'ProjectMembership', membershipId);
    if (!current) throw notFound();
    requireVersion(current, ifMatch);
    const then = await requireThen(w.tx, current, version);
    const row = current.deleted
      ? await restoreMembership(w, current, then, actor)
      : await changeMembership(w, { actor, project, current, force }, merge(toResource(current), then));
    const target = `ProjectMembership/${membershipId}`;
    w.audit({ projectId, action: 'membership.undo', target, before: { version: current.version }, after: { version } });
    return row;
  });
}

async function requireThen(tx: Queryable, current: Row, version: number): Promise<ProjectMembership> {
  const found = await findVersion(current.projectId, 'ProjectMembership', current.id, version, tx);
  if (!found || found.op === 'delete' || version >= current.version) {
    throw new AppError('invalid', `There is no earlier version ${version} to go back to`, { expression: 'version' });
  }
  return toResource<ProjectMembership>(found);
}

/** What people think of as the change; names, identifiers and the profile have moved on. */
function merge(now: ProjectMembership, then: ProjectMembership): ProjectMembership {
  const { admin, active, accessPolicy, access, period, suspendedUntil } = then;
  return { ...now, admin, active, accessPolicy, access, period, suspendedUntil };
}
