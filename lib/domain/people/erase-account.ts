import { SERVER_SCOPE } from '#lib/base/ids.ts';
import { dropMember, dropPeople, dropShownMail } from '#lib/infra/db/drop/drop-person.ts';
import type { ChangeRow } from '#lib/infra/db/schema/account-change.ts';
import type { Write } from '../access/context.ts';
import { dropOthers } from '../account-changes/change-rows.ts';
import { deleteUser } from '../accounts/delete-user.ts';
import type { FoundUser } from '../accounts/find-user.ts';
import { projectsOf } from '../directory/projects-of.ts';
import { endMembership } from '../memberships/end-membership.ts';
import { lockMember } from '../memberships/lock-member.ts';
import { forgetDisplay, listValues, purgeVersions } from '../store/delete-row.ts';
import { findErasurePlaces, requireNoneAgainst } from './erasure-places.ts';
import { lockUser } from './lock-user.ts';

/**
 * Erases an account for good, in one transaction: its memberships end as any does, the User is deleted with all of its versions, and what it signed in
 * with, where it was and what was mailed to it is dropped. The records it stood on are their project's, and stay; the audit log is a chain, and stays
 * as it is. Throws 409 where a project cannot be without it.
 */
export async function eraseAccount(w: Write, change: ChangeRow, user: FoundUser): Promise<void> {
  const { id: userId, scope } = user;
  const reference = `User/${userId}`;
  const { row } = await lockUser(w.tx, user, [user.email]);
  const places = await findErasurePlaces(w.tx, userId);
  requireNoneAgainst(places);
  for (const { projectId, membershipId } of places) {
    const { current } = await lockMember(w.tx, projectId, membershipId);
    await endMembership(w, current, change.askedBy);
  }
  await deleteUser(w, row, change.askedBy);
  const projects = await projectsOf(userId, w.tx);
  const scopes = [...new Set([SERVER_SCOPE, scope, ...projects])].sort();
  const emails = new Set(user.email ? [user.email.toLowerCase()] : []);
  // It may have stood elsewhere before (rescope-user.ts), with another address.
  for (const at of scopes) {
    const had = await listValues(w, at, { type: 'User', id: userId, element: 'email' });
    for (const email of had) emails.add(email.toLowerCase());
    await purgeVersions(w, at, 'User', userId);
  }
  for (const projectId of scopes) {
    const memberships = await forgetDisplay(w, projectId, { type: 'ProjectMembership', element: 'user', reference });
    await forgetDisplay(w, projectId, { type: 'Project', element: 'owner', reference });
    await dropMember(w.tx, projectId, { userId, emails: [...emails], memberships });
  }
  await dropPeople(w.tx, [userId]);
  await dropShownMail(w.tx, [...emails]);
  await dropOthers(w, change);
  const after = { memberships: places.length };
  for (const projectId of new Set([scope, ...places.map((place) => place.projectId)]))
    w.audit({ projectId, action: 'user.erase', target: reference, after });
}
