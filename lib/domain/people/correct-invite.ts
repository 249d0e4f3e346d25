import { AppError, notFound } from '#lib/base/errors.ts';
import { isUuid } from '#lib/base/ids.ts';
import type { Queryable } from '#lib/infra/db/client.ts';
import type { ProjectMembership } from '#lib/protocol/fhir/types.ts';
import type { NewEmailRequest } from '#lib/protocol/requests/member-actions.ts';
import { type Ctx, requireProjectAdmin } from '../access/context.ts';
import { refuse } from '../access/refuse.ts';
import { findUser } from '../accounts/find-user.ts';
import { hasPassword } from '../accounts/has-password.ts';
import { write } from '../audit/write.ts';
import { membersOf } from '../directory/members-of.ts';
import { throttle, throttleMailTo } from '../limits/throttle.ts';
import { requireProof } from '../proofs/require-proof.ts';
import { findRow, requireLive } from '../store/find-row.ts';
import { toResource } from '../store/row.ts';
import { changeAddress } from './change-address.ts';
import { type LockedUser, lockUser } from './lock-user.ts';

/**
 * An invitation that went to a wrong address goes to another one, and the account that waits there with it, whatever its scope: nobody
 * has come yet, so that it is nobody's. Throws 404 and 410 for a membership that is not there, 409 when the person has a password or has
 * proven the address, when another project has invited the same account, when the membership is inactive, or the address is taken.
 */
export async function correctInvite(
  ctx: Ctx,
  projectId: string,
  membershipId: string,
  { email }: NewEmailRequest,
): Promise<void> {
  const actor = requireProjectAdmin(ctx, projectId);
  if (!isUuid(projectId) || !isUuid(membershipId)) throw notFound();
  const row = requireLive(await findRow(projectId, 'ProjectMembership', membershipId));
  const membership = toResource<ProjectMembership>(row);
  const [type, userId = ''] = membership.user.reference?.split('/') ?? [];
  const found = type === 'User' ? await findUser(userId, projectId) : undefined;
  if (!found) throw new AppError('invalid', 'Only a person has an invitation');
  if (membership.active === false) throw new AppError('conflict', 'The membership is not active');
  // Whether an address is taken is told: not to who asks for many.
  await throttle(`correct-invite:${projectId}`, 30);
  await throttleMailTo(email);
  await write(ctx, async (w) => {
    // Whoever reads that mail becomes an administrator.
    if (membership.admin === true) await requireProof(actor, w.tx);
    const locked = await lockUser(w.tx, found, [found.email, email]);
    await requireNobodys(w.tx, projectId, locked);
    await changeAddress(w, actor, locked, { email, profiles: true, tellOld: false });
    w.audit({ projectId, action: 'invite.resend', target: `ProjectMembership/${membershipId}` });
  });
}

async function requireNobodys(tx: Queryable, projectId: string, { user }: LockedUser): Promise<void> {
  if (user.emailVerified || (await hasPassword(tx, user.id))) {
    throw refuse('already-accepted', 'This person has come already: their address is theirs');
  }
  const all = await membersOf(user.id, tx);
  if (all.some((member) => member.projectId !== projectId)) {
    throw new AppError(
      'conflict',
      'This account waits elsewhere, too; take the invitation back and invite the right address',
    );
  }
}
