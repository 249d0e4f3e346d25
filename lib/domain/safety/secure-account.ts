import { AppError } from '#lib/base/errors.ts';
import { newSecret, SERVER_SCOPE } from '#lib/base/ids.ts';
import { hashPassword } from '#lib/infra/crypto/password.ts';
import { queueMail } from '#lib/infra/mail/queue-mail.ts';
import { FACTOR_METHODS } from '#lib/protocol/factors/answers.ts';
import { type Ctx, requireProjectAdmin } from '../access/context.ts';
import { endWaiting } from '../account-changes/change-rows.ts';
import { savePassword } from '../accounts/save-password.ts';
import { write } from '../audit/write.ts';
import { membersOf } from '../directory/members-of.ts';
import { removeFactors } from '../factors/remove-factors.ts';
import { createMailedLink } from '../links/create-mailed-link.ts';
import { lockMember } from '../memberships/lock-member.ts';
import { requireMemberUser } from '../memberships/require-member-user.ts';
import { requireProof } from '../proofs/require-proof.ts';
import { dropPasskeys } from '../webauthn/end-passkeys.ts';
import { lockPasskeys } from '../webauthn/own-rows.ts';

/** What was ended. */
export type Secured = { factors: string[]; passkeys: string[] };

/**
 * Takes an account out of whoever's hands: its password, second factors and passkeys end with every session, everywhere, and a link to choose a
 * new password goes to its address, which is the one way in from here on. Throws 400 for whom mail cannot reach, and 409 for an account above
 * projects whom other projects know: there only a super-admin.
 */
export async function secureAccount(ctx: Ctx, projectId: string, membershipId: string): Promise<Secured> {
  const actor = requireProjectAdmin(ctx, projectId);
  await requireProof(actor);
  // That nobody knows, nor can: hashed before the transaction, since it is slow by design.
  const unknown = await hashPassword(newSecret());
  return write(ctx, async (w) => {
    const { project, current } = await lockMember(w.tx, projectId, membershipId);
    const user = await requireMemberUser(w.tx, current);
    if (user.scope === SERVER_SCOPE && !actor.superAdmin) {
      const all = await membersOf(user.id, w.tx);
      if (all.some((member) => member.projectId !== projectId)) throw knownElsewhere();
    }
    await lockPasskeys(w, user.id);
    const passkeys = await dropPasskeys(w, user.id);
    const factors = await removeFactors(w, user, [...FACTOR_METHODS], 'reset');
    await savePassword(w, user.id, unknown);
    // Whoever had it may have asked for an address of theirs, or for its end.
    for (const kind of ['address', 'factors', 'erase'] as const) await endWaiting(w, { userId: user.id, kind });
    const own = user.scope === SERVER_SCOPE ? {} : { projectId };
    const { url, code } = await createMailedLink(w, { kind: 'reset', userId: user.id, ...own });
    const params = { projectName: project.name ?? '', url, code };
    await queueMail(w.tx, { projectId, template: 'account-secured', recipient: user.email, membershipId, params });
    const target = `ProjectMembership/${membershipId}`;
    w.audit({ projectId, action: 'membership.secure', target, before: { factors, passkeys } });
    return { factors, passkeys };
  });
}

function knownElsewhere(): AppError {
  return new AppError(
    'conflict',
    'This person is a member of other projects, too: lock them out of this one, and let them or whoever runs this server secure the account',
  );
}
