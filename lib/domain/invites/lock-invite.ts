import { and, desc, eq } from 'drizzle-orm';
import { AppError, notFound } from '#lib/base/errors.ts';
import { isUuid } from '#lib/base/ids.ts';
import type { Queryable } from '#lib/infra/db/client.ts';
import { oneTimeLink } from '#lib/infra/db/schema/login.ts';
import type { Project, ProjectMembership } from '#lib/protocol/fhir/types.ts';
import { refuse } from '../access/refuse.ts';
import { lockMember } from '../memberships/lock-member.ts';
import { type Row, toResource } from '../store/row.ts';
import { hasAccepted } from './has-accepted.ts';

export type LockedInvite = {
  project: Project;
  current: Row;
  membership: ProjectMembership;
  /** The newest link, whichever of the row's links was named. */
  link: typeof oneTimeLink.$inferSelect;
};

/**
 * The invitation that one of its links names, its membership locked. Throws 404 for a link of another project, 409 when it was accepted
 * or its membership has been stopped.
 */
export async function lockInvite(tx: Queryable, projectId: string, linkId: string): Promise<LockedInvite> {
  if (!isUuid(linkId) || !isUuid(projectId)) throw notFound();
  const [named] = await tx
    .select({ membershipId: oneTimeLink.membershipId })
    .from(oneTimeLink)
    .where(and(eq(oneTimeLink.id, linkId), eq(oneTimeLink.projectId, projectId), eq(oneTimeLink.kind, 'invite')));
  if (!named?.membershipId) throw notFound();
  const { project, current } = await lockMember(tx, projectId, named.membershipId);
  const [link] = await tx
    .select()
    .from(oneTimeLink)
    .where(
      and(
        eq(oneTimeLink.projectId, projectId),
        eq(oneTimeLink.membershipId, named.membershipId),
        eq(oneTimeLink.kind, 'invite'),
      ),
    )
    .orderBy(desc(oneTimeLink.createdAt), oneTimeLink.id)
    .limit(1)
    .for('update');
  if (!link) throw notFound();
  if (link.usedAt || (await hasAccepted(tx, projectId, named.membershipId))) {
    throw refuse('already-accepted', 'This person has accepted already');
  }
  const membership = toResource<ProjectMembership>(current);
  if (membership.active === false) {
    throw new AppError('conflict', 'This invitation was taken back; invite the person again');
  }
  return { project, current, membership, link };
}
