import { sql } from 'drizzle-orm';
import { env } from '#lib/base/env.ts';
import { AppError } from '#lib/base/errors.ts';
import { SERVER_SCOPE } from '#lib/base/ids.ts';
import { uniqueViolation } from '#lib/infra/db/errors.ts';
import { queueMail } from '#lib/infra/mail/queue-mail.ts';
import type { User } from '#lib/protocol/fhir/types.ts';
import type { UpdateEmailRequest } from '#lib/protocol/requests/user-operations.ts';
import { type Actor, type Ctx, requireActor, requireProjectAdmin, type Write } from '../access/context.ts';
import { hasPassword } from '../accounts/has-password.ts';
import { saveAddress } from '../accounts/save-address.ts';
import { write } from '../audit/write.ts';
import { announceInvite } from '../invites/announce-invite.ts';
import { createMailedLink } from '../links/create-mailed-link.ts';
import { supersedeLinks } from '../links/supersede-links.ts';
import { findRow, requireLive } from '../store/find-row.ts';
import type { Row } from '../store/row.ts';
import { updateRow } from '../store/update-row.ts';
import { type FollowedMember, followEmail } from './follow-email.ts';
import { findManagedUser, type LockedUser, lockUser } from './lock-user.ts';

/**
 * `User/:id/$update-email` (contract §2.7): another address to sign in with, for a project's own User by its administrators, for any by
 * a super-admin. It counts as proven only once a link that goes to it was used. Links that went to the old address die, and the old
 * address is told. Throws 404 for whom the caller does not decide about, and 409 for an address that is taken, not saying by whom.
 */
export async function updateEmail(ctx: Ctx, userId: string, input: UpdateEmailRequest): Promise<Row> {
  const actor = requireProjectAdmin(ctx, requireActor(ctx).projectId);
  const found = await findManagedUser(actor, userId);
  const { email } = input;
  if (found.email === email) return requireLive(await findRow(found.scope, 'User', userId));
  return write(ctx, async (w) => {
    const locked = await lockUser(w.tx, found, [found.email, email]);
    await claimAddress(w, locked, email);
    const next: User = { ...locked.user, email, emailVerified: false };
    const row = await updateRow(w, locked.row, next, actor.profile);
    await supersedeLinks(w, { userId });
    const members = await followEmail(w, actor, { user: locked.user, email, profiles: input.updateProfileTelecom });
    const { projectId } = locked.row;
    const change = { before: { email: found.email }, after: { email } };
    w.audit({ projectId, action: 'user.email.update', target: `User/${userId}`, ...change });
    await tell(w, actor, locked, email, members);
    return row;
  });
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
  email: string,
  members: FollowedMember[],
): Promise<void> {
  const { projectId } = locked.row;
  const { id: userId } = locked.user;
  const projectName = members.map(({ project }) => project.name ?? '').join(', ') || actor.projectName;
  if (locked.user.email) {
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
