import { and, eq } from 'drizzle-orm';
import { membershipKey } from '#lib/infra/db/schema/identity.ts';
import type { ProjectMembership } from '#lib/protocol/fhir/types.ts';
import { type Actor, type Ctx, requireProjectAdmin, type Write } from '../access/context.ts';
import { deleteUser } from '../accounts/delete-user.ts';
import { write } from '../audit/write.ts';
import { requireProof } from '../proofs/require-proof.ts';
import { lockRow } from '../store/find-row.ts';
import { toResource } from '../store/row.ts';
import type { EditOptions } from './edit-member.ts';
import { endMembership } from './end-membership.ts';
import { guardAdmins, isActiveAdmin } from './guard-admins.ts';
import { lockMember } from './lock-member.ts';

/**
 * Ends a membership at once, with its logins (contract §2.3). The profile stays; a User that was the project's own is deleted with its last
 * membership; both can come back for thirty days (`undoMember`). Throws 400 for the owner's, 409 for the last administrator's and for one's own without `force`.
 */
export async function removeMember(
  ctx: Ctx,
  projectId: string,
  membershipId: string,
  { ifMatch, force = false }: EditOptions = {},
): Promise<void> {
  const actor = requireProjectAdmin(ctx, projectId);
  await write(ctx, async (w) => {
    const { project, current } = await lockMember(w.tx, projectId, membershipId, ifMatch);
    const before = toResource<ProjectMembership>(current);
    await guardAdmins(w.tx, { actor, projectId, project, membershipId, before, after: undefined, force });
    if (isActiveAdmin(before)) await requireProof(actor, w.tx);
    await endMembership(w, current, actor.profile);
    await removeLonelyUser(w, actor, projectId, before.user.reference ?? '');
  });
}

async function removeLonelyUser(w: Write, actor: Actor, projectId: string, user: string): Promise<void> {
  const [type, id = ''] = user.split('/');
  if (type !== 'User') return;
  // Not found here: a server-scoped User, who may be in other projects. Locked first: an invite that found this User waits, or we do.
  const row = await lockRow(w.tx, projectId, 'User', id);
  if (!row || row.deleted) return;
  const rest = await w.tx
    .select({ id: membershipKey.membershipId })
    .from(membershipKey)
    .where(and(eq(membershipKey.projectId, projectId), eq(membershipKey.userRef, user)));
  if (rest.length === 0) await deleteUser(w, row, actor.profile);
}
