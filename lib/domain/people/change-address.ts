import { sql } from 'drizzle-orm';
import { env } from '#lib/base/env.ts';
import { AppError } from '#lib/base/errors.ts';
import { SERVER_SCOPE } from '#lib/base/ids.ts';
import { uniqueViolation } from '#lib/infra/db/errors.ts';
import { queueMail } from '#lib/infra/mail/queue-mail.ts';
import type { User } from '#lib/protocol/fhir/types.ts';
import type { Actor, Write } from '../access/context.ts';
import { hasPassword } from '../accounts/has-password.ts';
import { saveAddress } from '../accounts/save-address.ts';
import { announceInvite } from '../invites/announce-invite.ts';
import { createMailedLink } from '../links/create-mailed-link.ts';
import { supersedeLinks } from '../links/supersede-links.ts';
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
  const [other] = await w.tx.execute(sql`
    select 1 from user_login l
    join membership_key theirs on theirs.user_ref = 'User/' || l.user_id
    join membership_key own on own.project_id = theirs.project_id and own.user_ref = ${`User/${id}`}
    where l.email_lower = ${email} and l.user_id::text <> ${id}
      and l.scope in (select ${SERVER_SCOPE}::uuid union select project_id from membership_key where user_ref = ${`User/${id}`})
    limit 1`);
  if (other) throw taken();
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
  { email, tellOld }: AddressChange,
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
    if (isActive) await announceInvite(w, actor, { projectId: project.id, project, membershipId, user, mail: true });
  }
}
