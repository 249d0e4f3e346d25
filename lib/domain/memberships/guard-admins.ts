import { and, eq, like, ne, type SQL } from 'drizzle-orm';
import { AppError } from '#lib/base/errors.ts';
import type { Queryable } from '#lib/infra/db/client.ts';
import { lockName } from '#lib/infra/db/lock-name.ts';
import { membershipKey } from '#lib/infra/db/schema/identity.ts';
import { isInTime, toEntryDates } from '#lib/protocol/fhir/identity/membership-dates.ts';
import type { Project, ProjectMembership } from '#lib/protocol/fhir/types.ts';
import { type Actor, callerOf } from '../access/context.ts';
import { refuse } from '../access/refuse.ts';
import { LASTING } from '../standing/in-time.ts';

/** Taken before a membership of the project changes its role, or ends: of two demotions at once, the second sees the first. */
export async function lockAdmins(tx: Queryable, projectId: string): Promise<void> {
  await lockName(tx, `admins:${projectId}`);
}

export type RoleChange = {
  actor: Actor;
  projectId: string;
  project: Project;
  membershipId: string;
  before: ProjectMembership;
  /** Undefined: it is removed. */
  after: ProjectMembership | undefined;
  /** The caller means it when it takes away its own rights. */
  force: boolean;
};

/**
 * Nobody locks a project out: throws 409 for demoting, deactivating or dating the owner or the last administrator whom no date ends, or
 * oneself without `force`; 400 for removing the owner. Under `lockAdmins`.
 */
export async function guardAdmins(tx: Queryable, change: RoleChange): Promise<void> {
  const { actor, project, membershipId, before, after, force } = change;
  const demoted = isLastingAdmin(before) && !isLastingAdmin(after);
  const stopped = before.active !== false && (!after || after.active === false);
  if (!after && isOwner(project, before)) {
    throw new AppError('invalid', 'Cannot remove the owner of the project');
  }
  if (!demoted && !stopped) return;
  if (isOwner(project, before)) throw refuse('owner', 'The owner of the project stays an active administrator');
  if (demoted && !(await hasOtherAdmin(tx, change))) {
    throw refuse('last-admin', 'This is the last active administrator of the project');
  }
  if (membershipId === callerOf(actor).membershipId && !force) {
    throw refuse('self-demotion', 'This takes away your own rights; repeat it with force=true if you mean it');
  }
}

/** Why a person may not leave for good, with all of their memberships of the project. Under `lockAdmins`. */
export async function whyStays(
  tx: Queryable,
  projectId: string,
  { owner }: Project,
  user: string,
): Promise<'owner' | 'last-admin' | undefined> {
  if (owner?.reference === user) return 'owner';
  const { active, admin, userRef } = membershipKey;
  const isAdmin = and(eq(membershipKey.projectId, projectId), eq(active, true), eq(admin, true), LASTING);
  const find = (which: SQL | undefined) =>
    tx.select({ userRef }).from(membershipKey).where(and(isAdmin, which)).limit(1);
  if ((await find(eq(userRef, user))).length === 0) return undefined;
  return (await find(and(like(userRef, 'User/%'), ne(userRef, user)))).length === 0 ? 'last-admin' : undefined;
}

export function isActiveAdmin(membership: ProjectMembership | undefined): boolean {
  return membership?.admin === true && membership.active !== false;
}

/** One whom no date takes away: who will end, or is on leave, does not keep a project from being without an administrator. */
export function isLastingAdmin(membership: ProjectMembership | undefined): boolean {
  if (!membership || !isActiveAdmin(membership)) return false;
  const dates = toEntryDates(membership);
  return dates.until === undefined && isInTime(dates);
}

function isOwner(project: Project, membership: ProjectMembership): boolean {
  return project.owner?.reference !== undefined && project.owner.reference === membership.user.reference;
}

/** A program that is an administrator does not stand in for the last person who is one. */
async function hasOtherAdmin(tx: Queryable, { projectId, membershipId, before }: RoleChange): Promise<boolean> {
  const isPerson = before.user.reference?.startsWith('User/');
  const others = await tx
    .select({ id: membershipKey.membershipId })
    .from(membershipKey)
    .where(
      and(
        eq(membershipKey.projectId, projectId),
        eq(membershipKey.active, true),
        eq(membershipKey.admin, true),
        LASTING,
        ne(membershipKey.membershipId, membershipId),
        ...(isPerson ? [like(membershipKey.userRef, 'User/%')] : []),
      ),
    )
    .limit(1);
  return others.length > 0;
}
