import type { ProjectMembership } from '#lib/protocol/fhir/types.ts';
import { membershipTag } from '../access/cache-tags.ts';
import type { Write } from '../access/context.ts';
import { endMembershipLinks } from '../links/end-membership-links.ts';
import { endLogins } from '../sessions/end-logins.ts';
import { deleteRow } from '../store/delete-row.ts';
import { type Row, toResource } from '../store/row.ts';
import { deleteKey, tellShared, toFacts } from './membership-key.ts';

/** Deletes a locked membership with its key, its logins and its open links, and audits it. The profile stays. */
export async function endMembership(w: Write, row: Row, author: string | undefined): Promise<void> {
  const { projectId, id } = row;
  const before = toResource<ProjectMembership>(row);
  // While its key still says whose they are.
  await endLogins(w, { projectId, membershipId: id });
  await deleteKey(w.tx, row);
  tellShared(w, projectId, before);
  await endMembershipLinks(w, { projectId, membershipId: id });
  await deleteRow(w, row, author);
  w.invalidate(membershipTag(id));
  w.audit({
    projectId,
    action: 'membership.delete',
    target: `ProjectMembership/${id}`,
    before: { user: before.user.reference, ...toFacts(before) },
  });
}
