import type { ProjectMembership } from '#lib/protocol/fhir/types.ts';
import { type Ctx, requireProjectAdmin } from '../access/context.ts';
import { write } from '../audit/write.ts';
import type { Row } from '../store/row.ts';
import { changeMembership } from './change-membership.ts';
import { type IfMatch, lockMember } from './lock-member.ts';

export type EditOptions = {
  ifMatch?: IfMatch;
  /** The caller means it when it takes away its own rights. */
  force?: boolean;
};

/** `edit` makes the wanted membership from the locked one. Throws what it, `lockMember` and `changeMembership` throw. */
export async function editMember(
  ctx: Ctx,
  projectId: string,
  membershipId: string,
  { ifMatch, force = false }: EditOptions,
  edit: (current: Row) => ProjectMembership,
): Promise<Row> {
  const actor = requireProjectAdmin(ctx, projectId);
  return write(ctx, async (w) => {
    const { project, current } = await lockMember(w.tx, projectId, membershipId, ifMatch);
    return changeMembership(w, { actor, project, current, force }, edit(current));
  });
}
