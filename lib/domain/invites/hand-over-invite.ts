import { AppError } from '#lib/base/errors.ts';
import type { Queryable } from '#lib/infra/db/client.ts';
import type { HandedOver } from '#lib/protocol/answers/invites.ts';
import { type Ctx, requireProjectAdmin } from '../access/context.ts';
import { write } from '../audit/write.ts';
import { membersOf } from '../directory/members-of.ts';
import { createLink } from '../links/create-link.ts';
import { requireProof } from '../proofs/require-proof.ts';
import { loadInvite } from './list-invites.ts';
import { lockInvite } from './lock-invite.ts';

/**
 * A new link, told to the administrator this once to pass on by hand; the older ones die. Throws 409 when the invitation was accepted,
 * and for somebody whom other projects know too: whoever holds the link becomes that person there as well.
 */
export async function handOverInvite(ctx: Ctx, projectId: string, linkId: string): Promise<HandedOver> {
  const actor = requireProjectAdmin(ctx, projectId);
  return write(ctx, async (w) => {
    const { current, membership, link } = await lockInvite(w.tx, projectId, linkId);
    // Whoever holds the link becomes an administrator.
    if (membership.admin === true) await requireProof(actor, w.tx);
    const { userId } = link;
    if (await isKnownElsewhere(w.tx, projectId, userId)) {
      throw new AppError(
        'conflict',
        'This person belongs to another project too: only they may have the link. Send it by mail',
      );
    }
    const made = await createLink(w, {
      kind: 'invite',
      userId,
      projectId,
      membershipId: current.id,
      handedAt: new Date(),
    });
    w.audit({ projectId, action: 'invite.link', target: `ProjectMembership/${current.id}`, after: { link: made.id } });
    await w.settle();
    const invite = await loadInvite(projectId, current.id, w.tx);
    return { url: made.url, expiresAt: made.expiresAt.toISOString(), invite };
  });
}

async function isKnownElsewhere(tx: Queryable, projectId: string, userId: string): Promise<boolean> {
  const all = await membersOf(userId, tx);
  return all.some((member) => member.projectId !== projectId || member.awaitsProof);
}
