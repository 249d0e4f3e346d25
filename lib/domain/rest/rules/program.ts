import { and, eq } from 'drizzle-orm';
import type { Queryable } from '#lib/infra/db/client.ts';
import { membershipKey } from '#lib/infra/db/schema/identity.ts';
import type { Project, ProjectMembership } from '#lib/protocol/fhir/types.ts';
import type { Actor, Write } from '../../access/context.ts';
import { endMembership } from '../../memberships/end-membership.ts';
import { guardAdmins } from '../../memberships/guard-admins.ts';
import { findRow, lockRow, requireLive } from '../../store/find-row.ts';
import { type Row, toResource } from '../../store/row.ts';

/** Ends what a client or bot signs in with, before it goes itself. Under `lockAdmins`: 409 when it is the last administrator. */
export async function endProgramMemberships(w: Write, { projectId, type, id }: Row, actor: Actor): Promise<void> {
  const memberships = await membershipsOf(w.tx, projectId, `${type}/${id}`);
  if (memberships.length === 0) return;
  const project = toResource<Project>(requireLive(await findRow(projectId, 'Project', projectId, w.tx)));
  for (const membershipId of memberships) {
    const row = await lockRow(w.tx, projectId, 'ProjectMembership', membershipId);
    if (!row || row.deleted) continue;
    const before = toResource<ProjectMembership>(row);
    await guardAdmins(w.tx, { actor, projectId, project, membershipId, before, after: undefined, force: true });
    await endMembership(w, row, actor.profile);
  }
}

async function membershipsOf(tx: Queryable, projectId: string, user: string): Promise<string[]> {
  const rows = await tx
    .select({ id: membershipKey.membershipId })
    .from(membershipKey)
    .where(and(eq(membershipKey.projectId, projectId), eq(membershipKey.userRef, user)));
  return rows.map((row) => row.id);
}
