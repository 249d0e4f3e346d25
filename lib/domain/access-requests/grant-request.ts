import { AppError } from '#lib/base/errors.ts';
import { type AccessRequestRow, accessRequest } from '#lib/infra/db/schema/access-request.ts';
import type { GrantRequest, RefuseRequest } from '#lib/protocol/access-requests/requests.ts';
import type { AccessEntry, ProjectMembership } from '#lib/protocol/fhir/types.ts';
import { type Actor, type Ctx, callerOf, requireProjectAdmin } from '../access/context.ts';
import { write } from '../audit/write.ts';
import { editMember } from '../memberships/edit-member.ts';
import { lockMember } from '../memberships/lock-member.ts';
import { toResource } from '../store/row.ts';
import { requireLimited } from './ask-access.ts';
import { findRequest, is, isOf, lockOpen } from './request-rows.ts';
import { requireWithin } from './require-within.ts';
import { tellDecided } from './tell-requests.ts';

/**
 * Gives who asked one of the project’s policies until an instant, as an entry of their `access`, by the verb that changes any member, with all that it
 * refuses. Throws 400, 403 about oneself and beyond one’s own rights, 404, and 409 once it is decided, or who asked is no active member.
 */
export async function grantRequest(
  ctx: Ctx,
  projectId: string,
  requestId: string,
  { policy, parameter, until, answer }: GrantRequest,
): Promise<void> {
  const actor = requireProjectAdmin(ctx, projectId);
  requireOwnName(actor);
  const endsAt = new Date(until);
  const entry: AccessEntry = {
    policy: { reference: policy },
    ...(parameter?.length && { parameter }),
    period: { end: endsAt.toISOString() },
  };
  await write(ctx, async (w, inside) => {
    // A membership is locked before what is kept beside it.
    const { membershipId } = await findRequest(projectId, requestId, w.tx);
    const { current, project } = await lockMember(w.tx, projectId, membershipId).catch(goneAsConflict);
    const row = await lockOpen(w.tx, projectId, requestId);
    const membership = toResource<ProjectMembership>(current);
    requireOther(actor, row, membership);
    if (membership.active === false) throw new AppError('conflict', 'The member is not active: let them in first');
    requireLimited(membership, project);
    await requireWithin(w.tx, actor, projectId, { entry, membership });
    await editMember(inside, projectId, membershipId, {}, () => {
      return { ...membership, access: [...(membership.access ?? []), entry] };
    });
    await w.tx
      .update(accessRequest)
      .set({ ...decided(actor, answer), state: 'granted', entry, endsAt, dueAt: endsAt })
      .where(is(projectId, requestId));
    await tellDecided(w.tx, row, endsAt);
    const after = { request: requestId, policy, until: endsAt.toISOString() };
    w.audit({ projectId, action: 'access-request.grant', target: `ProjectMembership/${membershipId}`, after });
  });
}

/** `answer` is told to who asked. Throws 403 about oneself, 404, and 409 once it is decided. */
export async function refuseRequest(
  ctx: Ctx,
  projectId: string,
  requestId: string,
  { answer }: RefuseRequest,
): Promise<void> {
  const actor = requireProjectAdmin(ctx, projectId);
  requireOwnName(actor);
  await write(ctx, async (w) => {
    const row = await lockOpen(w.tx, projectId, requestId);
    requireOther(actor, row);
    await w.tx
      .update(accessRequest)
      .set({ ...decided(actor, answer), state: 'refused', dueAt: null })
      .where(is(projectId, requestId));
    await tellDecided(w.tx, row);
    const target = `ProjectMembership/${row.membershipId}`;
    w.audit({ projectId, action: 'access-request.refuse', target, after: { request: requestId } });
  });
}

function decided(actor: Actor, answer: string | undefined) {
  return {
    ...{ closedAt: new Date(), answer: answer ?? null, decidedBy: actor.profile },
    ...{ decidedByDisplay: actor.profileDisplay ?? null, decidedByMembership: actor.membershipId },
  };
}

/** By themselves: neither a bot that runs as them, nor who acts for them. */
function requireOwnName(actor: Actor): void {
  if (actor.byBot === undefined && callerOf(actor) === actor) return;
  throw new AppError('forbidden', 'Administrators decide about requests in their own name');
}

/** Whose the membership was when it was asked, and whose it is: accounts are merged. */
function requireOther(actor: Actor, row: AccessRequestRow, membership?: ProjectMembership): void {
  if (!isOf(actor, [row.userRef, membership?.user.reference])) return;
  throw new AppError('forbidden', 'Another administrator decides about what you asked for yourself');
}

function goneAsConflict(error: unknown): never {
  const isGone = error instanceof AppError && (error.code === 'gone' || error.code === 'not-found');
  throw isGone ? new AppError('conflict', 'Who asked is no member any more') : error;
}
