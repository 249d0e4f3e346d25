import { AppError } from '#lib/base/errors.ts';
import type { LoginRow } from '#lib/infra/db/schema/login.ts';
import type { MergedMembership } from '#lib/protocol/account-merge/answers.ts';
import { isInTime, toEntryDates } from '#lib/protocol/fhir/identity/membership-dates.ts';
import type { Project, ProjectMembership } from '#lib/protocol/fhir/types.ts';
import { projectTag } from '../access/cache-tags.ts';
import type { Write } from '../access/context.ts';
import type { MemberOf } from '../directory/members-of.ts';
import { requireUnmanaged } from '../memberships/require-unmanaged.ts';
import type { LockedUser } from '../people/lock-user.ts';
import { askGate } from '../sign-in/gate.ts';
import { findProven } from '../standing/load-invites.ts';
import { lockRow } from '../store/find-row.ts';
import { type Row, toResource } from '../store/row.ts';
import { updateRow } from '../store/update-row.ts';
import { handOverMembership } from './hand-over-membership.ts';

type Move = {
  member: MemberOf;
  /** Where the account that stays is a member already. */
  present: readonly MemberOf[];
  from: LockedUser;
  into: LockedUser;
  logins: { from: LoginRow; into: LoginRow };
};

/**
 * One membership goes from one account to the other, if it is one that either could enter now: the one that goes by the sign-in that was shown, the
 * one that stays by its own, as the gate of every sign-in has it. So no lock, date, way, second step, network or directory of the project is gone
 * around. Throws 409 naming the project.
 */
export async function moveMembership(w: Write, move: Move): Promise<MergedMembership> {
  const { member, from, into, logins } = move;
  const { projectId, membershipId } = member;
  const projectRow = await lockRow(w.tx, projectId, 'Project', projectId);
  const project = projectRow && toResource<Project>(projectRow);
  const name = project?.name ?? projectId;
  if (!projectRow || projectRow.deleted || !project || project.active === false) throw against(name, 'it is closed');
  const row = await lockRow(w.tx, projectId, 'ProjectMembership', membershipId);
  if (!row || row.deleted) throw against(name, 'that account’s membership was removed meanwhile');
  const membership = toResource<ProjectMembership>(row);
  await requireFree(w, move, membership, name);
  await passes(w, logins.from, member, name, 'that account cannot enter it as you have signed in');
  const isOwner = project.owner?.reference === `User/${from.user.id}`;
  if (isOwner) await giveProject(w, projectRow, project, move);
  const beside = move.present.some((own) => own.projectId === projectId);
  const user = { reference: `User/${into.user.id}`, ...(into.user.email && { display: into.user.email }) };
  // By who they are there: the project knows nobody of another.
  await handOverMembership(w, row, user, membership.profile.reference);
  // As it is now: what the project asks is asked of the account that stays.
  await passes(w, logins.into, member, name, 'your account cannot enter it as you are signed in');
  return {
    id: membershipId,
    project: { reference: `Project/${projectId}`, ...(project.name && { display: project.name }) },
    profile: membership.profile,
    ...{ admin: membership.admin === true, owner: isOwner, beside },
  };
}

async function requireFree(
  w: Write,
  { member, present, from, into }: Move,
  membership: ProjectMembership,
  name: string,
): Promise<void> {
  const { projectId } = member;
  if (!isEntered(membership)) throw against(name, 'that account’s membership is locked, has ended, or has not begun');
  const proven = member.awaitsProof && (await findProven(w.tx, projectId, [from.user.id, into.user.id]));
  if (proven && proven.size < 2) throw against(name, 'the address of one of the accounts is not confirmed');
  for (const own of present) {
    if (own.projectId !== projectId) continue;
    const row = await lockRow(w.tx, projectId, 'ProjectMembership', own.membershipId);
    const isOpen = row && !row.deleted && isEntered(toResource<ProjectMembership>(row));
    if (!isOpen) throw against(name, 'your own membership there is locked, has ended, or has not begun');
    await requireUnmanaged(w.tx, undefined, own, `Your membership of ${name}`);
  }
  await requireUnmanaged(w.tx, undefined, member, `That account’s membership of ${name}`);
}

function isEntered(membership: ProjectMembership): boolean {
  return membership.active !== false && isInTime(toEntryDates(membership));
}

async function passes(w: Write, login: LoginRow, at: MemberOf, name: string, what: string): Promise<void> {
  const { projectId, membershipId } = at;
  const gate = await askGate(w.tx, login, { projectId, membershipId }).catch((error: unknown) => {
    if (error instanceof AppError) throw against(name, `${what}: ${error.message}`);
    throw error;
  });
  if (gate.need?.kind === 'enroll') throw against(name, `${what}: it asks for a second step`);
  if (gate.need?.kind === 'passkey') throw against(name, `${what}: it asks for a passkey`);
  if (gate.need) throw against(name, `${what}: it asks for the second step`);
}

async function giveProject(w: Write, row: Row, project: Project, { into, from }: Move): Promise<void> {
  const { projectId, id } = row;
  const owner = { reference: `User/${into.user.id}`, ...(into.user.email && { display: into.user.email }) };
  const saved = await updateRow(w, row, { ...project, owner }, w.actor?.profile);
  if (saved.version !== row.version) w.invalidate(projectTag(projectId));
  const change = { before: `User/${from.user.id}`, after: owner.reference };
  w.audit({ projectId, action: 'project.owner', target: `Project/${id}`, ...change });
}

function against(name: string, why: string): AppError {
  return new AppError('conflict', `${name} stands against it: ${why}`);
}
