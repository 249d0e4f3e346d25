import { and, eq } from 'drizzle-orm';
import { membershipKey } from '#lib/infra/db/schema/identity.ts';
import type { ProjectMembership, Reference } from '#lib/protocol/fhir/types.ts';
import type { Write } from '../access/context.ts';
import { displayName } from '../profiles/display-name.ts';
import { lockRow } from '../store/find-row.ts';
import { type Row, toResource } from '../store/row.ts';
import { saveMembership } from './save-membership.ts';

/** Brings the new name of a profile, bot or client to the memberships that stand on it, in the transaction that changes it. */
export async function followName(w: Write, row: Row, before: Row): Promise<void> {
  if (before.deleted) return;
  const display = displayName(toResource(row));
  if (display === displayName(toResource(before))) return;
  const reference = `${row.type}/${row.id}`;
  const keys = await w.tx
    .select({ id: membershipKey.membershipId })
    .from(membershipKey)
    .where(and(eq(membershipKey.projectId, row.projectId), eq(membershipKey.profileRef, reference)))
    .orderBy(membershipKey.membershipId);
  for (const { id } of keys) {
    const current = await lockRow(w.tx, row.projectId, 'ProjectMembership', id);
    if (!current || current.deleted) continue;
    const membership = toResource<ProjectMembership>(current);
    const named = (whose: Reference): Reference =>
      whose.reference === reference ? withDisplay(whose, display) : whose;
    const next = { ...membership, user: named(membership.user), profile: named(membership.profile) };
    await saveMembership(w, current, next, row.author ?? undefined);
  }
}

function withDisplay({ display: _, ...rest }: Reference, display: string | undefined): Reference {
  return display === undefined ? rest : { ...rest, display };
}
