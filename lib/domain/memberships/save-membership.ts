import { and, eq } from 'drizzle-orm';
import { membershipKey } from '#lib/infra/db/schema/identity.ts';
import type { ProjectMembership } from '#lib/protocol/fhir/types.ts';
import { membershipTag } from '../access/cache-tags.ts';
import type { Write } from '../access/context.ts';
import { endLogins } from '../sessions/end-logins.ts';
import { requireValid } from '../store/require-valid.ts';
import { type Row, toResource } from '../store/row.ts';
import { updateRow } from '../store/update-row.ts';
import { claim, endNone, keyColumns, toFacts } from './membership-key.ts';

/**
 * Stores the next version of a locked membership, its key and its audit entry; live sessions see it at once, and those of a membership
 * that is no longer active end. Guards and references were checked by the caller. The same row when nothing changed.
 */
export async function saveMembership(
  w: Write,
  current: Row,
  next: ProjectMembership,
  author: string | undefined,
): Promise<Row> {
  const { projectId, id } = current;
  requireValid(next, 'ProjectMembership');
  const before = toFacts(toResource<ProjectMembership>(current));
  const row = await updateRow(w, current, next, author);
  if (row.version === current.version) {
    w.unchanged();
    return row;
  }
  w.audit({ projectId, action: 'membership.update', target: `ProjectMembership/${id}`, before, after: toFacts(next) });
  await claim(() =>
    w.tx
      .update(membershipKey)
      .set(keyColumns(next))
      .where(and(eq(membershipKey.projectId, projectId), eq(membershipKey.membershipId, id))),
  );
  if (next.active === false) await endLogins(w, { projectId, membershipId: id });
  w.invalidate(membershipTag(id));
  endNone(w, next);
  return row;
}
