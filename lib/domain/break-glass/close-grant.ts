import { AppError } from '#lib/base/errors.ts';
import { breakGlass } from '#lib/infra/db/schema/access/break-glass.ts';
import type { CloseGrantRequest } from '#lib/protocol/break-glass/requests.ts';
import type { ProjectMembership } from '#lib/protocol/fhir/types.ts';
import { type Actor, type Ctx, callerOf, requireProjectAdmin } from '../access/context.ts';
import { write } from '../audit/write.ts';
import { findRow } from '../store/find-row.ts';
import { toResource } from '../store/row.ts';
import { findGrant, is, isOf, lockGrant, stateOf } from './grant-rows.ts';

/**
 * What another administrator found who has looked at it: a person in their own name, and not the one who had it, by whichever membership. Throws 403, 404,
 * and 409 while it is open and once it is closed.
 */
export async function closeGrant(
  ctx: Ctx,
  projectId: string,
  grantId: string,
  { note }: CloseGrantRequest,
): Promise<void> {
  const actor = requireProjectAdmin(ctx, projectId);
  requireOwnName(actor);
  await write(ctx, async (w) => {
    const { membershipId } = await findGrant(projectId, grantId, w.tx);
    const row = await lockGrant(w.tx, projectId, grantId);
    const current = await findRow(projectId, 'ProjectMembership', membershipId, w.tx);
    const now = current && !current.deleted ? toResource<ProjectMembership>(current).user.reference : undefined;
    if (isOf(actor, [row.userRef, now]))
      throw new AppError('forbidden', 'Another administrator reviews your emergency access, and closes it');
    const state = stateOf(row);
    if (state === 'open') throw new AppError('conflict', 'It is open still: end it first');
    if (state === 'closed') throw new AppError('conflict', 'Somebody has reviewed this already');
    await w.tx
      .update(breakGlass)
      .set({
        ...{ closedAt: new Date(), note, closerRef: actor.profile, closerDisplay: actor.profileDisplay ?? null },
        ...{ closerMembership: actor.membershipId, endedAt: row.endedAt ?? row.endsAt, endedBy: row.endedBy ?? 'time' },
      })
      .where(is(projectId, grantId));
    const target = `ProjectMembership/${membershipId}`;
    w.audit({ projectId, action: 'break-glass.close', target, after: { grant: grantId } });
  });
}

/** By themselves: neither a program, key or bot, nor who acts for them. */
function requireOwnName(actor: Actor): void {
  const isPerson = actor.user.startsWith('User/') && actor.byBot === undefined && actor.key === undefined;
  if (isPerson && callerOf(actor) === actor) return;
  throw new AppError('forbidden', 'Emergency access is reviewed by a person, in their own name');
}
