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
import { findTakenIn } from './find-taken-in.ts';
import { lockUser } from './lock-user.ts';

/**
 * Erases an account for good, in one transaction: its memberships end as any does, the User is deleted with all of its versions, and what it signed in
 * with, where it was and what was mailed to it is dropped; so is what is left of accounts that it took in. The records it stood on are their
 * project's, and stay; the audit log is a chain, and stays
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
  const all = [userId, ...(await findTakenIn(w.tx, userId))];
  const whose = [];
  for (const id of all) whose.push(await listPlaces(w, id, scope));
  const emails = new Set([...whose.flatMap((one) => one.emails), ...(user.email ? [user.email.toLowerCase()] : [])]);
  for (const { id, scopes } of whose) await forgetPerson(w, { id, scopes, emails: [...emails] });
  await dropPeople(w.tx, all);
  await dropShownMail(w.tx, [...emails]);
  await dropOthers(w, change);
  const after = { memberships: places.length };
  for (const projectId of new Set([scope, ...places.map((place) => place.projectId)]))
    w.audit({ projectId, action: 'user.erase', target: reference, after });
}

type Whose = { id: string /** The server's, and of projects. */; scopes: string[]; emails: string[] };

/** Where an account may have left something, and all addresses that it had: it may have stood elsewhere before (rescope-user.ts), with another. */
async function listPlaces(w: Write, id: string, scope: string): Promise<Whose> {
  const scopes = [...new Set([SERVER_SCOPE, scope, ...(await projectsOf(id, w.tx))])].sort();
  const emails = [];
  for (const at of scopes) emails.push(...(await listValues(w, at, { type: 'User', id, element: 'email' })));
  return { id, scopes, emails: emails.map((email) => email.toLowerCase()) };
}

async function forgetPerson(w: Write, { id, scopes, emails }: Whose): Promise<void> {
  const reference = `User/${id}`;
  for (const projectId of scopes) {
    await purgeVersions(w, projectId, 'User', id);
    const memberships = await forgetDisplay(w, projectId, { type: 'ProjectMembership', element: 'user', reference });
    await forgetDisplay(w, projectId, { type: 'Project', element: 'owner', reference });
    await dropMember(w.tx, projectId, { userId: id, emails, memberships });
  }
}
