import { AppError } from '#lib/base/errors.ts';
import { SERVER_SCOPE } from '#lib/base/ids.ts';
import type { FactorMethod } from '#lib/protocol/factors/answers.ts';
import { type Ctx, requireProjectAdmin } from '../access/context.ts';
import { write } from '../audit/write.ts';
import { membersOf } from '../directory/members-of.ts';
import { removeFactors } from '../factors/remove-factors.ts';
import { lockMember } from '../memberships/lock-member.ts';
import { requireMemberUser } from '../memberships/require-member-user.ts';

/**
 * Takes a member's second factor away, as for a phone that is lost (contract §2.3): of an authenticator the secret ends. The person hears of
 * it by mail. Throws 400 for who has not enrolled it. Of an account above projects whom other projects know, only a super-admin: no
 * project weakens the door of another, 409.
 */
export async function resetMfa(
  ctx: Ctx,
  projectId: string,
  membershipId: string,
  method: FactorMethod = 'totp',
): Promise<void> {
  const actor = requireProjectAdmin(ctx, projectId);
  await write(ctx, async (w) => {
    const { current } = await lockMember(w.tx, projectId, membershipId);
    const user = await requireMemberUser(w.tx, current);
    if (user.scope === SERVER_SCOPE && !actor.superAdmin) {
      const all = await membersOf(user.id, w.tx);
      if (all.some((member) => member.projectId !== projectId)) throw knownElsewhere();
    }
    const gone = await removeFactors(w, user, [method], 'reset');
    if (gone.length === 0) throw new AppError('invalid', `User is not enrolled in ${method}`, { expression: 'method' });
    const target = `ProjectMembership/${membershipId}`;
    w.audit({ projectId, action: 'user.factor.reset', target, after: { methods: gone } });
  });
}

function knownElsewhere(): AppError {
  return new AppError(
    'conflict',
    'This person is a member of other projects, too: they sign in with a recovery code, or whoever runs this server resets it',
  );
}
