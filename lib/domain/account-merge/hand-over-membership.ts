import type { ProjectMembership, Reference } from '#lib/protocol/fhir/types.ts';
import type { Write } from '../access/context.ts';
import { makeFurther, noteMember } from '../memberships/membership-key.ts';
import { saveMembership } from '../memberships/save-membership.ts';
import { type Row, toResource } from '../store/row.ts';

/**
 * A locked membership is another account's of the same person from now on, with all its rights: beside one that this has there already it is a
 * further one. Its logins and keys were ended by the caller, who has also checked that it may. Throws 409 where that account has it already.
 */
export async function handOverMembership(
  w: Write,
  current: Row,
  user: Reference,
  author: string | undefined,
): Promise<Row> {
  const { projectId, id } = current;
  const before = toResource<ProjectMembership>(current);
  const next = { ...before, user };
  await makeFurther(w.tx, current, user.reference ?? '');
  const row = await saveMembership(w, current, next, author);
  await noteMember(w, projectId, next);
  w.stands({ projectId, membershipId: id });
  const change = { before: { user: before.user.reference }, after: { user: user.reference } };
  w.audit({ projectId, action: 'membership.merge', target: `ProjectMembership/${id}`, ...change });
  return row;
}
