import { AppError } from '#lib/base/errors.ts';
import { type Ctx, requireProjectAdmin } from '../access/context.ts';
import { refuse } from '../access/refuse.ts';
import { write } from '../audit/write.ts';
import { throttleMailTo } from '../limits/throttle.ts';
import { lockMember } from '../memberships/lock-member.ts';
import { requireMemberUser } from '../memberships/require-member-user.ts';
import { toResource } from '../store/row.ts';
import { announceInvite } from './announce-invite.ts';
import { hasAccepted } from './has-accepted.ts';

/** A new seven-day link by mail; the older ones end. Throws 409 when the person has set a password, or the membership is inactive. */
export async function resendInvite(ctx: Ctx, projectId: string, membershipId: string): Promise<void> {
  const actor = requireProjectAdmin(ctx, projectId);
  await write(ctx, async (w) => {
    const { project, current } = await lockMember(w.tx, projectId, membershipId);
    const user = await requireMemberUser(w.tx, current);
    if (toResource(current).active === false) throw new AppError('conflict', 'The membership is not active');
    if (await hasAccepted(w.tx, projectId, membershipId))
      throw refuse('already-accepted', 'This person has set a password already');
    await throttleMailTo(user.email);
    await announceInvite(w, actor, { projectId, project, membershipId, user, mail: true });
    w.audit({ projectId, action: 'invite.resend', target: `ProjectMembership/${membershipId}` });
  });
}
