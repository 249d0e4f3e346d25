import { AppError } from '#lib/base/errors.ts';
import { inviteRequest } from '#lib/protocol/requests/invite-member.ts';
import type { ScimUser, WantedUser } from '#lib/protocol/scim/user.ts';
import { toIssues } from '#lib/protocol/zod-issues.ts';
import { type Ctx, requireActor, requireProjectAdmin } from '../access/context.ts';
import { write } from '../audit/write.ts';
import { inviteMember } from '../invites/invite-member.ts';
import { noteManaged } from './note-managed.ts';
import { requirePerson } from './read-user.ts';
import { requireFreeName, taken } from './require-free-name.ts';
import { primaryFirst, saveRecord } from './save-record.ts';
import { toUser } from './to-user.ts';

/**
 * Makes a person a member as an invitation does (`inviteMember`), without mail unless its connection says so. Throws 403; 400 for what an invitation refuses; 409
 * uniqueness for who is a member already, and for a userName or externalId that another member has.
 */
export async function addUser(ctx: Ctx, wanted: WantedUser): Promise<ScimUser> {
  const actor = requireProjectAdmin(ctx, requireActor(ctx).projectId);
  const { projectId } = actor;
  const request = toInvite(wanted, actor.scim?.sendEmail === true);
  return write(ctx, async (w, inside) => {
    await requireFreeName(w.tx, projectId, wanted.userName);
    const { row } = await inviteMember(inside, projectId, request).catch((error: unknown) => {
      throw error instanceof AppError && error.code === 'conflict' ? taken(error) : error;
    });
    const made = await requirePerson(projectId, row.id, w.tx);
    const before = toUser(made, actor);
    const whole = { ...wanted, name: { ...before.name, ...wanted.name }, emails: wanted.emails ?? before.emails };
    await noteManaged(w, actor, row.id);
    const isChanged = await saveRecord(w, { actor, projectId, reference: made.profile_ref, before, wanted: whole });
    return isChanged ? toUser(await requirePerson(projectId, row.id, w.tx), actor) : before;
  });
}

function toInvite(wanted: WantedUser, sendEmail: boolean) {
  const { userName, externalId, active, userType = 'Practitioner' } = wanted;
  const email = addressOf(wanted);
  const result = inviteRequest.safeParse({
    resourceType: userType,
    ...toNames(wanted),
    ...(email === undefined ? { externalId: externalId ?? userName } : { email }),
    sendEmail,
    membership: { userName, ...(externalId && { externalId }), ...(active !== undefined && { active }) },
  });
  if (result.success) return result.data;
  const issues = toIssues(result.error).map((issue) => ({ ...issue, expression: NAMED[issue.expression ?? ''] }));
  throw new AppError('invalid', 'Invalid User', { issues });
}

/** What an invitation calls otherwise. */
const NAMED: Record<string, string> = { email: 'emails', firstName: 'name.givenName', lastName: 'name.familyName' };

/** The address to sign in with: the primary one, else the userName where it is one. */
function addressOf({ emails = [], userName }: WantedUser): string | undefined {
  const [first] = primaryFirst(emails);
  return first?.value ?? (/^[^@\s]+@[^@\s]+$/.test(userName) ? userName : undefined);
}

/** Not every directory knows the parts of a name; an account needs both. */
function toNames({ name, displayName }: WantedUser): { firstName?: string; lastName?: string } {
  const words = (name?.formatted ?? displayName ?? '').split(/\s+/).filter(Boolean);
  const [first, rest] = words.length > 1 ? [words[0], words.slice(1).join(' ')] : [];
  return { firstName: name?.givenName ?? first, lastName: name?.familyName ?? rest };
}
