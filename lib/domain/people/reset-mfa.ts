import { AppError } from '#lib/base/errors.ts';
import { SERVER_SCOPE } from '#lib/base/ids.ts';
import type { ChangeRow } from '#lib/infra/db/schema/account-change.ts';
import type { FactorMethod } from '#lib/protocol/factors/answers.ts';
import { type Actor, type Ctx, requireProjectAdmin, type Write } from '../access/context.ts';
import { endWaiting } from '../account-changes/change-rows.ts';
import { requestChange } from '../account-changes/request-change.ts';
import type { FoundUser } from '../accounts/find-user.ts';
import { write } from '../audit/write.ts';
import { membersOf } from '../directory/members-of.ts';
import { findFactors } from '../factors/find-factors.ts';
import { lockMember } from '../memberships/lock-member.ts';
import { requireMemberUser } from '../memberships/require-member-user.ts';
import { requireProof } from '../proofs/require-proof.ts';
import { hasPasskey } from '../webauthn/own-rows.ts';
import { takeFactors } from './take-factors.ts';
import { waitInForce } from './wait-in-force.ts';

/**
 * Takes a member's second factor away, as for a phone that is lost (contract §2.3): of an authenticator the secret ends. With `passkeys` all of
 * their passkeys as well, and without a method these alone. The person hears of it by mail. Where the project's setting `recoveryWait` says so, it waits:
 * the person hears of it at once and can stop it, and the change that waits is returned. Throws 400 for who has not enrolled it, or has no
 * passkey, 409 while another waits. Of an account above projects whom other projects know, only a super-admin: no project weakens the door of another, 409.
 */
export async function resetMfa(
  ctx: Ctx,
  projectId: string,
  membershipId: string,
  { method, passkeys = false }: { method?: FactorMethod; passkeys?: boolean } = {},
): Promise<ChangeRow | undefined> {
  const actor = requireProjectAdmin(ctx, projectId);
  const wanted: FactorMethod | undefined = method ?? (passkeys ? undefined : 'totp');
  return write(ctx, async (w) => {
    await requireProof(actor, w.tx);
    const { project, current } = await lockMember(w.tx, projectId, membershipId);
    const user = await requireMemberUser(w.tx, current);
    await requireOnlyHere(w, user, actor, projectId);
    const waitMs = await waitInForce(w.tx, projectId, project.setting ?? []);
    if (waitMs > 0) {
      if (passkeys && !(await hasPasskey(w.tx, user.id))) throw noPasskey();
      if (wanted && !(await findFactors(w.tx, user.id)).includes(wanted)) throw notEnrolled(wanted);
      const detail = {
        ...(actor.superAdmin && { above: true }),
        ...(wanted && { method: wanted }),
        ...(passkeys && { passkeys }),
      };
      const of = { projectId, projectName: project.name ?? '', membershipId };
      const asked = { user, kind: 'factors', detail, waitMs, askedBy: actor.profile, of } as const;
      return (await requestChange(w, asked)).row;
    }
    const taken = await takeFactors(w, user, { method: wanted, passkeys });
    if (passkeys && taken.passkeys.length === 0) throw noPasskey();
    if (wanted && taken.methods.length === 0) throw notEnrolled(wanted);
    await endWaiting(w, { userId: user.id, kind: 'factors' });
    w.audit({ projectId, action: 'user.factor.reset', target: `ProjectMembership/${membershipId}`, after: taken });
    return undefined;
  });
}

async function requireOnlyHere(w: Write, user: FoundUser, actor: Actor, projectId: string): Promise<void> {
  if (user.scope !== SERVER_SCOPE || actor.superAdmin) return;
  const all = await membersOf(user.id, w.tx);
  if (all.some((member) => member.projectId !== projectId)) throw knownElsewhere();
}

function noPasskey(): AppError {
  return new AppError('invalid', 'User has no passkey', { expression: 'passkeys' });
}

function notEnrolled(method: FactorMethod): AppError {
  return new AppError('invalid', `User is not enrolled in ${method}`, { expression: 'method' });
}

function knownElsewhere(): AppError {
  return new AppError(
    'conflict',
    'This person is a member of other projects, too: they sign in with a recovery code, or whoever runs this server resets it',
  );
}
