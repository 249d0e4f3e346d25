import type { InviteRow } from '#lib/protocol/answers/invites.ts';
import { type Ctx, requireProjectAdmin } from '../access/context.ts';
import { write } from '../audit/write.ts';
import { supersedeLinks } from '../links/supersede-links.ts';
import { changeMembership } from '../memberships/change-membership.ts';
import { loadInvite } from './list-invites.ts';
import { lockInvite } from './lock-invite.ts';

/**
 * Takes an invitation back: its links die and its membership stops, so that no other way in (a password reset) leads there either.
 * An invite with `upsert` brings it back. Throws 409 when it was accepted.
 */
export async function revokeInvite(ctx: Ctx, projectId: string, linkId: string): Promise<InviteRow> {
  const actor = requireProjectAdmin(ctx, projectId);
  return write(ctx, async (w) => {
    const { project, current, membership, link } = await lockInvite(w.tx, projectId, linkId);
    await supersedeLinks(w, { projectId, membershipId: current.id, kinds: ['invite'] }, { revoked: true });
    await changeMembership(w, { actor, project, current, force: false }, { ...membership, active: false });
    const target = `ProjectMembership/${current.id}`;
    w.audit({ projectId, action: 'invite.revoke', target, before: { link: link.id, expiresAt: link.expiresAt } });
    await w.settle();
    return loadInvite(projectId, current.id, w.tx);
  });
}
