import { isDeepStrictEqual } from 'node:util';
import { requireEntryDates } from '#lib/protocol/fhir/identity/membership-dates.ts';
import type { ProjectMembership } from '#lib/protocol/fhir/types.ts';
import { membershipTag } from '../access/cache-tags.ts';
import type { Write } from '../access/context.ts';
import { endLogins } from '../sessions/end-logins.ts';
import { requireValid } from '../store/require-valid.ts';
import { type Row, toResource } from '../store/row.ts';
import { updateRow } from '../store/update-row.ts';
import { endViews } from '../views/view-rows.ts';
import { endNone, tellShared, toFacts, updateKey } from './membership-key.ts';

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
  requireEntryDates(next);
  const before = toFacts(toResource<ProjectMembership>(current));
  const row = await updateRow(w, current, next, author);
  if (row.version === current.version) {
    w.unchanged();
    return row;
  }
  w.audit({ projectId, action: 'membership.update', target: `ProjectMembership/${id}`, before, after: toFacts(next) });
  await updateKey(w.tx, current, next);
  tellStanding(w, current, toResource<ProjectMembership>(current), next);
  // Who is given the role again has not begun it as they are then.
  if (toResource<ProjectMembership>(current).admin && !next.admin) await endViews(w, projectId, { viewerId: id });
  if (next.active === false) await endLogins(w, { projectId, membershipId: id });
  if (!isDeepStrictEqual(cached(toResource<ProjectMembership>(current)), cached(next))) {
    w.invalidate(membershipTag(id));
    endNone(w, next);
  }
  return row;
}

/** Without what nobody keeps of a member (load-actor.ts): a notification makes PostgreSQL commit one by one. */
function cached({ meta: _, userName, externalId, identifier, invitedBy, ...kept }: ProjectMembership): unknown {
  return kept;
}

/** An invitation is taken back or comes to life with its membership; only active ones share a profile. */
function tellStanding(w: Write, { projectId, id }: Row, before: ProjectMembership, next: ProjectMembership): void {
  const isStopped = (membership: ProjectMembership) => membership.active === false;
  const moved = before.profile.reference !== next.profile.reference;
  if (isStopped(before) !== isStopped(next)) w.stands({ projectId, membershipId: id });
  else if (!moved) return;
  tellShared(w, projectId, before, next);
}
