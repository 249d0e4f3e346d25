import { env } from '#lib/base/env.ts';
import { AppError } from '#lib/base/errors.ts';
import { SERVER_SCOPE } from '#lib/base/ids.ts';
import { uniqueViolation } from '#lib/infra/db/errors.ts';
import { queueMail } from '#lib/infra/mail/queue-mail.ts';
import type { User } from '#lib/protocol/fhir/types.ts';
import type { Actor, Write } from '../access/context.ts';
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
  const { email, profiles } = change;
  const { user } = locked;
  await claimAddress(w, locked, email);
  const next: User = { ...user, email, emailVerified: false };
  const row = await updateRow(w, locked.row, next, actor.profile);
  w.stands({ userId: user.id });
  await supersedeLinks(w, { userId: user.id });
  const members = await followEmail(w, actor, { user, email, profiles });
  const target = `User/${user.id}`;
  const { projectId } = locked.row;
  w.audit({ projectId, action: 'user.email.update', target, before: { email: user.email }, after: { email } });
  await tell(w, actor, locked, change, members);
  return row;
}

async function claimAddress(w: Write, { row }: LockedUser, email: string): Promise<void> {
  const { id, projectId: scope } = row;
  // The other scope counts where both would be members of one project: an address there means one person.
  const own = await membersOf(id, w.tx);
  for (const member of own) await requireUnmanaged(w.tx, w.actor, member, 'The e-mail address of this member');
  const projects = new Set(own.map((member) => member.projectId));
  const others = await findUsersByEmail(w.tx, [SERVER_SCOPE, ...projects], email);
  for (const userId of new Set(others.values())) {
    if (userId !== id && (await membersOf(userId, w.tx)).some((member) => projects.has(member.projectId)))
      throw taken();
  }
  try {
    await saveAddress(w.tx, id, scope, email);
  } catch (cause) {
    throw uniqueViolation(cause) === undefined ? cause : taken(cause);
  }
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
