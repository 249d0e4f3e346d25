import type { Project, ProjectMembership } from '#lib/protocol/fhir/types.ts';
import { type Ctx, requireProjectAdmin } from '../access/context.ts';
import { write } from '../audit/write.ts';
import { type Row, toResource } from '../store/row.ts';
import { changeMembership, changesRole } from './change-membership.ts';
import { type IfMatch, lockMember } from './lock-member.ts';

export type EditOptions = {
  ifMatch?: IfMatch;
  /** The caller means it when it takes away its own rights. */
  force?: boolean;
  /** It is likely that the role changes: then this is not found out first. */
  role?: boolean;
};

/** Carries the need of the lock out of a transaction that began without. */
class RoleChanges extends Error {}

/**
 * `edit` makes the wanted membership from the locked one. The lock of all administrators is taken before others, and only where a role
 * changes: PostgreSQL lets those who wait for one commit one by one. Throws what `edit`, `lockMember` and `changeMembership` throw.
 */
export async function editMember(
  ctx: Ctx,
  projectId: string,
  membershipId: string,
  { ifMatch, force = false, role = false }: EditOptions,
  edit: (current: Row, project: Project) => ProjectMembership,
): Promise<Row> {
  const actor = requireProjectAdmin(ctx, projectId);
  const attempt = (isGuarded: boolean) =>
    write(ctx, async (w) => {
      const { project, current } = await lockMember(w.tx, projectId, membershipId, ifMatch, isGuarded);
      const wanted = edit(current, project);
      if (!isGuarded && changesRole(toResource(current), wanted)) throw new RoleChanges();
      return changeMembership(w, { actor, project, current, force }, wanted);
    });
  // Within a transaction of others there is no second try.
  if (role || ctx.write) return attempt(true);
  try {
    return await attempt(false);
  } catch (error) {
    if (!(error instanceof RoleChanges)) throw error;
    return attempt(true);
  }
}
