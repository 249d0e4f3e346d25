import { AppError } from '#lib/base/errors.ts';
import type { Queryable } from '#lib/infra/db/client.ts';
import type { ProjectMembership } from '#lib/protocol/fhir/types.ts';
import { emailAddress } from '#lib/protocol/requests/email-address.ts';
import type { ScimUser, WantedUser } from '#lib/protocol/scim/user.ts';
import type { Actor, Write } from '../access/context.ts';
import { type FoundUser, findUser } from '../accounts/find-user.ts';
import { hasPassword } from '../accounts/has-password.ts';
import { membersOf } from '../directory/members-of.ts';
import { changeAddress } from '../people/change-address.ts';
import { findRecoveryWait } from '../people/find-recovery-wait.ts';
import { lockUser } from '../people/lock-user.ts';
import { requireProof } from '../proofs/require-proof.ts';
import { hasPasskey } from '../webauthn/own-rows.ts';
import { primaryFirst } from './save-record.ts';

type Following = {
  actor: Actor;
  projectId: string;
  membership: ProjectMembership;
  before: ScimUser;
  wanted: WantedUser;
};

/**
 * Another primary address is also that to sign in with, where the account is the project's own, or nobody has come to it yet. A person's
 * own account keeps its address: only the record says the new one. True when it followed. Throws 409 for an address that is
 * taken; 403 for an administrator who calls in a directory's place without a proof, and 409 for them where such a change waits (`recoveryWait`): it is
 * asked for by `User/{id}/$update-email`. A directory, by its own token, says what holds.
 */
export async function followAddress(
  w: Write,
  { actor, projectId, membership, before, wanted }: Following,
): Promise<boolean> {
  const [old, next] = [before.emails, wanted.emails].map((emails) => primaryFirst(emails ?? [])[0]?.value);
  if (next === undefined || next.toLowerCase() === old?.toLowerCase()) return false;
  const email = emailAddress().safeParse(next);
  const userId = membership.user.reference?.slice('User/'.length) ?? '';
  const found = await findUser(userId, projectId, w.tx);
  if (!email.success || !found || found.email === email.data || !(await isOurs(w.tx, projectId, found))) return false;
  await requireProof(actor, w.tx);
  const locked = await lockUser(w.tx, found, [found.email, email.data]);
  // Somebody may have come to it while we waited for the lock.
  if (!(await isOurs(w.tx, projectId, { ...locked.user, scope: found.scope }))) return false;
  if (!actor.scim && (await findRecoveryWait(w.tx, { ...locked.user, scope: found.scope })).waitMs > 0) throw itWaits();
  const isOwn = found.scope === projectId;
  await changeAddress(w, actor, locked, { email: email.data, profiles: false, tellOld: isOwn, tellNew: false });
  return true;
}

/** The old address hears of it and can stop it, whichever door an administrator takes. */
function itWaits(): AppError {
  return new AppError(
    'conflict',
    'This project lets changes of how somebody signs in wait: change the address by User/{id}/$update-email',
  );
}

async function isOurs(tx: Queryable, projectId: string, user: FoundUser): Promise<boolean> {
  if (user.scope === projectId) return true;
  if (user.emailVerified || (await hasPassword(tx, user.id)) || (await hasPasskey(tx, user.id))) return false;
  return (await membersOf(user.id, tx)).every((member) => member.projectId === projectId);
}
