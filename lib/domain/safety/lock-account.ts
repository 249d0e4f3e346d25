import type { ProjectMembership } from '#lib/protocol/fhir/types.ts';
import { type Ctx, requireProjectAdmin } from '../access/context.ts';
import { write } from '../audit/write.ts';
import { changeMembership } from '../memberships/change-membership.ts';
import { lockMember } from '../memberships/lock-member.ts';
import { requireProof } from '../proofs/require-proof.ts';
import { endLogins } from '../sessions/end-logins.ts';
import { toResource } from '../store/row.ts';

/**
 * Shuts a member out of this project, at once and until they are let in again: nobody enters as them, and every session of theirs here has
 * ended, for good. For an account that is in wrong hands. Throws 403, 404, 410, and 409 for the owner, the last administrator and who locks themselves out.
 */
export async function lockAccount(ctx: Ctx, projectId: string, membershipId: string): Promise<{ ended: number }> {
  const actor = requireProjectAdmin(ctx, projectId);
  return write(ctx, async (w) => {
    await requireProof(actor, w.tx);
    const { project, current } = await lockMember(w.tx, projectId, membershipId);
    const before = toResource<ProjectMembership>(current);
    if (before.active !== false) {
      await changeMembership(w, { actor, project, current, force: false }, { ...before, active: false });
    }
    const ended = await endLogins(w, { projectId, membershipId: current.id });
    const target = `ProjectMembership/${current.id}`;
    w.audit({ projectId, action: 'membership.lock', target, before: { sessions: ended } });
    return { ended };
  });
}

/** Lets them in again, with the role and the policies that they had. Throws as `lockAccount`; 409 where another stands on their profile now. */
export async function releaseAccount(ctx: Ctx, projectId: string, membershipId: string): Promise<void> {
  const actor = requireProjectAdmin(ctx, projectId);
  await write(ctx, async (w) => {
    await requireProof(actor, w.tx);
    const { project, current } = await lockMember(w.tx, projectId, membershipId);
    const { active, ...before } = toResource<ProjectMembership>(current);
    if (active !== false) return w.unchanged();
    await changeMembership(w, { actor, project, current, force: false }, before as ProjectMembership);
    w.audit({ projectId, action: 'membership.release', target: `ProjectMembership/${current.id}` });
  });
}
