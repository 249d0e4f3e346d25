import { isDeepStrictEqual } from 'node:util';
import { AppError } from '#lib/base/errors.ts';
import { structure } from '#lib/protocol/fhir/structures.ts';
import type { Project, ProjectMembership, Reference } from '#lib/protocol/fhir/types.ts';
import { namesPolicy } from '#lib/protocol/policies/policy-required.ts';
import { type Actor, callerOf, type Write } from '../access/context.ts';
import { withGlassMarks } from '../access/glass.ts';
import { requireFreeProfile } from '../profiles/require-free-profile.ts';
import { requireProfile } from '../profiles/resolve-profile.ts';
import { requireProof } from '../proofs/require-proof.ts';
import { requireValid } from '../store/require-valid.ts';
import { type Row, toResource } from '../store/row.ts';
import { requireWayIn } from '../ways/require-way-in.ts';
import { followRole } from './default-access.ts';
import { guardAdmins, isActiveAdmin, isLastingAdmin } from './guard-admins.ts';
import { requireOwnAccessKept } from './own-access.ts';
import { requirePolicies, requireSomePolicy } from './require-policies.ts';
import { requireUngiven, requireUnmanaged } from './require-unmanaged.ts';
import { saveMembership } from './save-membership.ts';

export type Changing = {
  actor: Actor;
  project: Project;
  current: Row;
  force: boolean;
  /** Who is now the one that invited. */
  invitedBy?: Reference;
};

/**
 * Every rule about changing a membership, whichever door the change came through. `current` is locked, and `lockAdmins` held where
 * its role changes (`changesRole`). What
 * belongs to the server (id, project, user, who invited) stays as it is. Throws 400, 403 and 409.
 */
export async function changeMembership(w: Write, changing: Changing, wanted: ProjectMembership): Promise<Row> {
  const { actor, project, current, force, invitedBy } = changing;
  const { projectId, id } = current;
  const before = toResource<ProjectMembership>(current);
  const kept = withGlassMarks(wanted, before);
  const after = withoutEmptyLists({ ...kept, ...serverFields(before), ...(invitedBy && { invitedBy }) });
  requireValid(after, 'ProjectMembership');
  const next = { ...after, ...followRole(project, before, after) };
  if (!isDeepStrictEqual(accessOf(before), accessOf(next))) {
    requireOwnAccessKept(actor, before.user.reference);
    await requirePolicies(w.tx, projectId, next, before);
    if (namesPolicy(before)) await requireSomePolicy(w.tx, projectId, next, project);
  }
  if (!isDeepStrictEqual([before.access, before.admin], [next.access, next.admin])) {
    await requireUngiven(w.tx, actor, { projectId, membershipId: id }, next);
  }
  const managed = changedOfManaged(before, next);
  if (managed) await requireUnmanaged(w.tx, actor, { projectId, membershipId: id }, managed);
  await requireUsableProfile(w, projectId, before, next);
  if (isDangerous(actor, current.id, before, next)) await requireProof(actor, w.tx);
  await guardAdmins(w.tx, { actor, projectId, project, membershipId: id, before, after: next, force });
  const { signInWays } = next;
  if (signInWays && !next.user.reference?.startsWith('User/'))
    throw new AppError('invalid', 'A program signs in by its secret or key', {
      expression: 'ProjectMembership.signInWays',
    });
  if (!isDeepStrictEqual(before.signInWays, signInWays))
    await requireWayIn(w.tx, actor, { projectId, setting: project.setting ?? [], membership: { id, signInWays } });
  return saveMembership(w, current, next, actor.profile);
}

/** Who may decide about others afterwards, and what the caller may do themselves: that is not for whoever finds a desk unlocked. */
function isDangerous(actor: Actor, id: string, before: ProjectMembership, next: ProjectMembership): boolean {
  if (isActiveAdmin(before) !== isActiveAdmin(next)) return true;
  if (isActiveAdmin(next) && !isDeepStrictEqual(datesOf(before), datesOf(next))) return true;
  const isOwn = callerOf(actor).membershipId === id;
  return isOwn && !isDeepStrictEqual(accessOf(before), accessOf(next));
}

function datesOf({ period, suspendedUntil }: ProjectMembership): unknown {
  return [period, suspendedUntil];
}

/** Whoever was an active administrator, or will be one, counts for those who may still demote others. */
export function changesRole(before: ProjectMembership, after: ProjectMembership): boolean {
  if (isLastingAdmin(before) !== isLastingAdmin(after)) return true;
  return (before.admin === true) !== (after.admin === true) || (before.active !== false) !== (after.active !== false);
}

/** What a directory says of its members, in words; undefined when nothing of it changes. */
function changedOfManaged(before: ProjectMembership, next: ProjectMembership): string | undefined {
  if ((before.active !== false) !== (next.active !== false)) return 'Whether this member is active';
  if (before.userName !== next.userName) return 'The userName of this member';
  return before.externalId === next.externalId ? undefined : 'The externalId of this member';
}

function serverFields({ resourceType, id, project, user, invitedBy }: ProjectMembership): Partial<ProjectMembership> {
  return { resourceType, id, project, user, invitedBy };
}

/** Of what is a list: an empty one in the place of a single value is a fault, and not to be read as nothing (no policy, not inactive). */
function withoutEmptyLists(membership: ProjectMembership & Record<string, unknown>): ProjectMembership {
  const elements = structure('ProjectMembership')?.elements;
  const kept = Object.entries(membership).filter(([name, value]) => {
    return value !== undefined && !(Array.isArray(value) && value.length === 0 && elements?.get(name)?.array);
  });
  return Object.fromEntries(kept) as ProjectMembership;
}

/** What policies judge by: themselves, and who the member is to them (`%profile`). */
function accessOf({ accessPolicy, access, profile }: ProjectMembership): unknown {
  return [accessPolicy?.reference, access, profile.reference];
}

/** A program is its own profile. A person's is checked when it changes, and when a membership comes back to life. */
async function requireUsableProfile(
  w: Write,
  projectId: string,
  before: ProjectMembership,
  next: ProjectMembership,
): Promise<void> {
  const changed = before.profile.reference !== next.profile.reference;
  const isPerson = next.user.reference?.startsWith('User/');
  if (!isPerson && changed) {
    throw new AppError('invalid', 'The profile of a client or bot cannot change', {
      expression: 'ProjectMembership.profile',
    });
  }
  const revived = before.active === false && next.active !== false;
  if (isPerson && (changed || revived)) {
    const expression = 'ProjectMembership.profile';
    await requireProfile(w.tx, projectId, next.profile.reference ?? '', { expression });
    if (next.active !== false) await requireFreeProfile(w.tx, projectId, next, expression);
  }
}
