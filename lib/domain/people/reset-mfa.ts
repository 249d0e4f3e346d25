import { env } from '#lib/base/env.ts';
import { AppError } from '#lib/base/errors.ts';
import { SERVER_SCOPE } from '#lib/base/ids.ts';
import { queueMail } from '#lib/infra/mail/queue-mail.ts';
import type { FactorMethod } from '#lib/protocol/factors/answers.ts';
import { type Ctx, requireProjectAdmin, type Write } from '../access/context.ts';
import type { FoundUser } from '../accounts/find-user.ts';
import { write } from '../audit/write.ts';
import { membersOf } from '../directory/members-of.ts';
import { removeFactors } from '../factors/remove-factors.ts';
import { lockMember } from '../memberships/lock-member.ts';
import { requireMemberUser } from '../memberships/require-member-user.ts';
import { requireProof } from '../proofs/require-proof.ts';
import { dropPasskeys } from '../webauthn/end-passkeys.ts';
import { lockPasskeys } from '../webauthn/own-rows.ts';

/**
 * Takes a member's second factor away, as for a phone that is lost (contract §2.3): of an authenticator the secret ends. With `passkeys` all of
 * their passkeys as well, and without a method these alone. The person hears of it by mail. Throws 400 for who has not enrolled it, or has no
 * passkey. Of an account above projects whom other projects know, only a super-admin: no project weakens the door of another, 409.
 */
export async function resetMfa(
  ctx: Ctx,
  projectId: string,
  membershipId: string,
  { method, passkeys = false }: { method?: FactorMethod; passkeys?: boolean } = {},
): Promise<void> {
  const actor = requireProjectAdmin(ctx, projectId);
  const wanted: FactorMethod | undefined = method ?? (passkeys ? undefined : 'totp');
  await write(ctx, async (w) => {
    await requireProof(actor, w.tx);
    const { current } = await lockMember(w.tx, projectId, membershipId);
    const user = await requireMemberUser(w.tx, current);
    if (user.scope === SERVER_SCOPE && !actor.superAdmin) {
      const all = await membersOf(user.id, w.tx);
      if (all.some((member) => member.projectId !== projectId)) throw knownElsewhere();
    }
    // Before the row of the User, as who adds one takes it.
    const names = passkeys ? await dropAll(w, user) : [];
    const gone = wanted ? await removeFactors(w, user, [wanted], 'reset') : [];
    if (wanted && gone.length === 0) throw notThere('method', `User is not enrolled in ${wanted}`);
    const target = `ProjectMembership/${membershipId}`;
    w.audit({ projectId, action: 'user.factor.reset', target, after: { methods: gone, passkeys: names } });
  });
}

async function dropAll(w: Write, { id, scope, email: recipient }: FoundUser): Promise<string[]> {
  await lockPasskeys(w, id);
  const names = await dropPasskeys(w, id);
  if (names.length === 0) throw notThere('passkeys', 'User has no passkey');
  w.audit({ projectId: scope, action: 'user.passkey.remove', target: `User/${id}`, before: { names } });
  w.stands({ userId: id });
  const params = { names: names.join(', '), url: `${env().BASE_URL}/resetpassword` };
  if (recipient) await queueMail(w.tx, { projectId: scope, template: 'passkeys-reset', recipient, params });
  return names;
}

function notThere(expression: string, text: string): AppError {
  return new AppError('invalid', text, { expression });
}

function knownElsewhere(): AppError {
  return new AppError(
    'conflict',
    'This person is a member of other projects, too: they sign in with a recovery code, or whoever runs this server resets it',
  );
}
