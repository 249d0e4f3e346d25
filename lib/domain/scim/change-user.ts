import { AppError } from '#lib/base/errors.ts';
import type { ProjectMembership } from '#lib/protocol/fhir/types.ts';
import type { ScimUser, WantedUser } from '#lib/protocol/scim/user.ts';
import { type Actor, type Ctx, requireActor, requireProjectAdmin } from '../access/context.ts';
import { write } from '../audit/write.ts';
import { changeMembership } from '../memberships/change-membership.ts';
import { type IfMatch, lockMember } from '../memberships/lock-member.ts';
import { removeMember } from '../memberships/remove-member.ts';
import { toResource } from '../store/row.ts';
import { followAddress } from './follow-address.ts';
import { noteManaged } from './note-managed.ts';
import type { Person } from './people.ts';
import { requirePerson } from './read-user.ts';
import { requireFreeName, taken } from './require-free-name.ts';
import { saveRecord } from './save-record.ts';
import { toUser, userNameOf, versionOf } from './to-user.ts';

/**
 * `edit` says what is wanted of a person as they are: their membership and their record become so, by the rules and locks of any change of a
 * member. Who is set inactive is signed out everywhere. Throws 403, 404, 412 for another version than the caller saw, 409 for the owner, the
 * last administrator and what another member has, and what `edit` throws.
 */
export async function changeUser(
  ctx: Ctx,
  id: string,
  ifMatch: IfMatch | undefined,
  edit: (user: ScimUser) => WantedUser,
): Promise<ScimUser> {
  const actor = requireProjectAdmin(ctx, requireActor(ctx).projectId);
  const { projectId } = actor;
  return write(ctx, async (w) => {
    const seen = await requirePerson(projectId, id, w.tx);
    requireSeen(seen, ifMatch, actor);
    const before = toUser(seen, actor);
    const first = edit(before);
    requireSameType(before, first);
    if (first.userName !== before.userName) await requireFreeName(w.tx, projectId, first.userName, seen.id);
    const isMoved = await followAddress(w, { actor, projectId, membership: seen.content, before, wanted: first });
    const { project, current } = await lockMember(w.tx, projectId, seen.id);
    const person = await requirePerson(projectId, seen.id, w.tx);
    if (!isMoved) requireSeen(person, ifMatch, actor);
    const now = toUser(person, actor);
    const wanted = edit(now);
    const next = toMembership(toResource<ProjectMembership>(current), now, wanted);
    await noteManaged(w, actor, seen.id);
    await orTaken(() => changeMembership(w, { actor, project, current, force: false }, next));
    await saveRecord(w, { actor, projectId, reference: person.profile_ref, before: now, wanted });
    return toUser(await requirePerson(projectId, seen.id, w.tx), actor);
  });
}

/** Takes a person out of the project as an administrator does (`removeMember`): the record stays. Throws as `changeUser`. */
export async function removeUser(ctx: Ctx, id: string, ifMatch: IfMatch | undefined): Promise<void> {
  const actor = requireProjectAdmin(ctx, requireActor(ctx).projectId);
  const { projectId } = actor;
  await write(ctx, async (w, inside) => {
    const seen = await requirePerson(projectId, id, w.tx);
    requireSeen(seen, ifMatch, actor);
    const options = { ifMatch: ifMatch && [String(seen.version)] };
    await removeMember(inside, projectId, seen.id, options).catch((error: unknown) => {
      throw error instanceof AppError && error.code === 'invalid' ? lasting(error) : error;
    });
  });
}

/** The owner's membership. */
function lasting(error: AppError): AppError {
  return new AppError('invalid', error.message, { scim: 'mutability', cause: error });
}

function requireSeen(person: Person, ifMatch: IfMatch | undefined, actor: Actor): void {
  if (!ifMatch || ifMatch === '*' || ifMatch.includes(versionOf(person, actor))) return;
  throw new AppError('precondition-failed', 'The User was changed meanwhile; read it again');
}

/** A membership stands on its record. */
function requireSameType({ userType }: ScimUser, wanted: WantedUser): void {
  if (wanted.userType === undefined || wanted.userType === userType) return;
  throw new AppError('invalid', `userType cannot change: this member is a ${userType}`, {
    scim: 'mutability',
    expression: 'userType',
  });
}

/** Whether somebody may enter is never changed by saying nothing of it. */
function toMembership(membership: ProjectMembership, now: ScimUser, wanted: WantedUser): ProjectMembership {
  const { userName, externalId, active, ...rest } = membership;
  const name = wanted.userName === userNameOf(membership, now.id) ? userName : wanted.userName;
  const isActive = wanted.active ?? active !== false;
  return {
    ...rest,
    ...(name !== undefined && { userName: name }),
    ...(wanted.externalId !== undefined && { externalId: wanted.externalId }),
    ...(isActive ? active === true && { active } : { active: false }),
  };
}

/** What another has is a conflict that has a name; what the rules of members refuse has none. */
async function orTaken(run: () => Promise<unknown>): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (error instanceof AppError && error.issues[0]?.expression === 'externalId') throw taken(error);
    throw error;
  }
}
