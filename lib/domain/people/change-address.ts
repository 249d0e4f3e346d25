import { env } from '#lib/base/env.ts';
import { AppError } from '#lib/base/errors.ts';
import { SERVER_SCOPE } from '#lib/base/ids.ts';
import { uniqueViolation } from '#lib/infra/db/errors.ts';
import { queueMail } from '#lib/infra/mail/queue-mail.ts';
import type { User } from '#lib/protocol/fhir/types.ts';
import type { Actor, Write } from '../access/context.ts';
import { endWaiting } from '../account-changes/change-rows.ts';
import { findUsersByEmail } from '../accounts/find-user.ts';
import { hasPassword } from '../accounts/has-password.ts';
import { saveAddress } from '../accounts/save-address.ts';
import { membersOf } from '../directory/members-of.ts';
import { announceInvite } from '../invites/announce-invite.ts';
import { createMailedLink } from '../links/create-mailed-link.ts';
import { supersedeLinks } from '../links/supersede-links.ts';
import { requireUnmanaged } from '../memberships/require-unmanaged.ts';
import type { Row } from '../store/row.ts';
import { updateRow } from '../store/update-row.ts';
import { type FollowedMember, followEmail } from './follow-email.ts';
import type { LockedUser } from './lock-user.ts';

export type AddressChange = {
  email: string;
  /** The person's profiles say it, too. */
  profiles: boolean;
  /** The old address is told of the new one. */
  tellOld: boolean;
  /** Default: who has not come yet is invited at the new one. */
  tellNew?: boolean;
};

/**
 * Another address for a User that is locked with both addresses. It counts as proven only once a link that goes to it was used; links
 * that went to the old one die. Throws 409 for an address that is taken, not saying by whom.
 */
export async function changeAddress(w: Write, actor: Actor, locked: LockedUser, change: AddressChange): Promise<Row> {
  const { row, members } = await moveAddress(w, locked, { ...change, author: actor.profile });
  await tell(w, actor, locked, change, members);
  return row;
}

export type Move = Pick<AddressChange, 'email' | 'profiles'> & {
  /** As whom. */
  author: string;
  /** A mail to the new address was answered already. */
  verified?: boolean;
};

/** The same, of which nobody is told here. A change of the address that waits is off with it. */
export async function moveAddress(
  w: Write,
  locked: LockedUser,
  { email, profiles, author, verified = false }: Move,
): Promise<{ row: Row; members: FollowedMember[] }> {
  const { user } = locked;
  await requireFreeAddress(w, locked, email);
  try {
    await saveAddress(w.tx, user.id, locked.row.projectId, email);
  } catch (cause) {
    throw uniqueViolation(cause) === undefined ? cause : taken(cause);
  }
  const next: User = { ...user, email, emailVerified: verified };
  const row = await updateRow(w, locked.row, next, author);
  w.stands({ userId: user.id });
  await supersedeLinks(w, { userId: user.id });
  await endWaiting(w, { userId: user.id, kind: 'address' });
  const members = await followEmail(w, author, { user, email, profiles });
  const target = `User/${user.id}`;
  const { projectId } = locked.row;
  w.audit({ projectId, action: 'user.email.update', target, before: { email: user.email }, after: { email } });
  return { row, members };
}

/** Throws 409 for an address that somebody else signs in with, or that a directory manages. */
export async function requireFreeAddress(w: Write, locked: LockedUser, email: string): Promise<void> {
  for (const member of await membersOf(locked.user.id, w.tx))
    await requireUnmanaged(w.tx, w.actor, member, 'The e-mail address of this member');
  if (!(await isFreeAddress(w, locked, email))) throw taken();
}

/** Whether nobody else signs in with it, where this person does. */
export async function isFreeAddress(w: Write, { row }: LockedUser, email: string): Promise<boolean> {
  const { id, projectId: scope } = row;
  // The other scope counts where both would be members of one project: an address there means one person.
  const projects = new Set((await membersOf(id, w.tx)).map((member) => member.projectId));
  const others = await findUsersByEmail(w.tx, [...new Set([SERVER_SCOPE, scope, ...projects])], email);
  for (const [at, userId] of others) {
    if (userId === id) continue;
    if (at === scope || (await membersOf(userId, w.tx)).some((member) => projects.has(member.projectId))) return false;
  }
  return true;
}

function taken(cause?: unknown): AppError {
  return new AppError('conflict', 'This e-mail address is taken', { expression: 'email', cause });
}

/** Who has not come yet is invited anew, there; everybody else is asked to prove the address. */
async function tell(
  w: Write,
  actor: Actor,
  locked: LockedUser,
  { email, tellOld, tellNew = true }: AddressChange,
  members: FollowedMember[],
): Promise<void> {
  const { projectId } = locked.row;
  const { id: userId } = locked.user;
  const projectName = members.map(({ project }) => project.name ?? '').join(', ') || actor.projectName;
  if (tellOld && locked.user.email) {
    const params = { projectName, url: `${env().BASE_URL}/signin` };
    await queueMail(w.tx, { projectId, template: 'email-changed', recipient: locked.user.email, params });
  }
  if (await hasPassword(w.tx, userId)) {
    const scope = projectId === SERVER_SCOPE ? {} : { projectId };
    const { url, code } = await createMailedLink(w, { kind: 'reset', userId, ...scope });
    await queueMail(w.tx, {
      projectId,
      template: 'email-confirm',
      recipient: email,
      params: { projectName, url, code },
    });
    return;
  }
  const user = { ...locked.user, email };
  for (const { project, membershipId, isActive } of members) {
    if (!isActive) continue;
    await announceInvite(w, actor, { projectId: project.id, project, membershipId, user, mail: tellNew });
  }
}
