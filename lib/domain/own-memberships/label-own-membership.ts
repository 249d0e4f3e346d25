import { AppError, notFound } from '#lib/base/errors.ts';
import type { ProjectMembership } from '#lib/protocol/fhir/types.ts';
import { withLabel } from '#lib/protocol/membership-label.ts';
import { type Ctx, requireAccount } from '../access/context.ts';
import { write } from '../audit/write.ts';
import { lockMember } from '../memberships/lock-member.ts';
import { saveMembership } from '../memberships/save-membership.ts';
import { findMemberships } from '../sign-in/find-memberships.ts';
import { findOwnLogin } from '../sign-in/find-own-login.ts';
import { toResource } from '../store/row.ts';

/**
 * What the caller calls one of their own memberships, in whichever project: shown to them where they choose. Only from a sign-in of their own,
 * as to switch. Throws 403, and 404 for a membership that is not the caller's, or that they cannot enter now.
 */
export async function labelOwnMembership(
  ctx: Ctx,
  membershipId: string,
  { label }: { label: string | null },
): Promise<{ id: string; label: string | null }> {
  const actor = requireAccount(ctx);
  if (!(await findOwnLogin(actor))) {
    throw new AppError('forbidden', 'Only somebody who has signed in themselves labels their memberships');
  }
  const own = await findMemberships(actor.user.slice('User/'.length));
  const chosen = own.find(({ id }) => id === membershipId.toLowerCase());
  if (!chosen) throw notFound();
  await write(ctx, async (w) => {
    const { current } = await lockMember(w.tx, chosen.projectId, chosen.id, undefined, false);
    const { identifier: before, ...membership } = toResource<ProjectMembership>(current);
    const identifier = withLabel(before, label);
    const next = { ...membership, ...(identifier.length > 0 && { identifier }) };
    // By who they are there: the project knows nobody of another.
    await saveMembership(w, current, next, chosen.profile.reference);
  });
  return { id: chosen.id, label };
}
