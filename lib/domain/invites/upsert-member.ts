import { AppError, notFound } from '#lib/base/errors.ts';
import type { Project, ProjectMembership } from '#lib/protocol/fhir/types.ts';
import type { InviteRequest, MembershipTemplate } from '#lib/protocol/requests/invite-member.ts';
import type { Actor, Write } from '../access/context.ts';
import { findUser } from '../accounts/find-user.ts';
import { changeMembership } from '../memberships/change-membership.ts';
import type { Profile } from '../profiles/resolve-profile.ts';
import { lockRow } from '../store/find-row.ts';
import { type Row, toResource } from '../store/row.ts';
import { announceInvite } from './announce-invite.ts';
import { hasAccepted } from './has-accepted.ts';
import type { InviteResult } from './invite-result.ts';

export type Upsert = {
  actor: Actor;
  projectId: string;
  project: Project;
  /** The person's memberships, at least one. */
  memberships: string[];
  profile: Profile | undefined;
  template: MembershipTemplate;
  request: InviteRequest;
};

/**
 * An invite with `upsert` of somebody who is a member: what the invite says of the membership is merged into it, and an inactive one
 * becomes active again. Throws 409 when it stands on another profile. Under `lockAdmins`.
 */
export async function upsertMember(w: Write, upsert: Upsert): Promise<InviteResult> {
  const { actor, project, template } = upsert;
  const current = await lockMatching(w, upsert);
  const before = toResource<ProjectMembership>(current);
  const revived = before.active === false && template.active === undefined;
  const { active: _, ...rest } = before;
  const wanted = { ...(revived ? rest : before), ...template };
  const invitedBy = { reference: actor.user, ...(actor.profileDisplay && { display: actor.profileDisplay }) };
  const row = await changeMembership(w, { actor, project, current, force: false, invitedBy }, wanted);
  const link = await announce(w, upsert, before, revived);
  return { row, status: revived ? 'reactivated' : 'upserted', link };
}

/** With a profile named or found by e-mail, the membership that stands on it; else the first one of the wanted type. */
async function lockMatching(w: Write, { projectId, memberships, profile, request }: Upsert): Promise<Row> {
  for (const id of memberships) {
    const row = await lockRow(w.tx, projectId, 'ProjectMembership', id);
    if (!row || row.deleted) throw notFound();
    const { reference = '' } = toResource<ProjectMembership>(row).profile;
    const named = request.membership?.profile !== undefined;
    if (named ? reference === profile?.reference.reference : reference.startsWith(`${request.resourceType}/`))
      return row;
  }
  throw new AppError('conflict', 'User is already a member of this project with a different profile', {
    expression: request.membership?.profile ? 'membership.profile' : 'resourceType',
  });
}

/** Someone who has accepted already, and was active, hears nothing of a change in rights. */
async function announce(
  w: Write,
  { actor, projectId, project, request }: Upsert,
  { id = '', user }: ProjectMembership,
  revived: boolean,
): Promise<string | undefined> {
  const found = await findUser(user.reference?.slice('User/'.length) ?? '', projectId, w.tx);
  if (!found || (!revived && (await hasAccepted(w.tx, projectId, id)))) return undefined;
  const mail = request.sendEmail !== false;
  const handOver = request.returnLink && found.project !== undefined;
  const url = await announceInvite(w, actor, { projectId, project, membershipId: id, user: found, mail, handOver });
  w.audit({ projectId, action: 'invite.resend', target: `ProjectMembership/${id}` });
  return handOver ? url : undefined;
}
