import type { Project, ProjectMembership, Resource, Stored, User } from '#lib/protocol/fhir/types.ts';
import type { Write } from '../access/context.ts';
import { membersOf } from '../directory/members-of.ts';
import { saveMembership } from '../memberships/save-membership.ts';
import { shareProject } from '../memberships/share-project.ts';
import { lockRow } from '../store/find-row.ts';
import { toResource } from '../store/row.ts';
import { updateRow } from '../store/update-row.ts';

export type FollowedMember = { project: Stored<Project>; membershipId: string; isActive: boolean };

type Changed = { user: Stored<User>; email: string /** Their profiles say it too. */; profiles: boolean };

/** Brings the changed address of a locked User to where it is shown: the memberships and, when asked for, the profiles. */
export async function followEmail(w: Write, author: string, changed: Changed): Promise<FollowedMember[]> {
  const followed: FollowedMember[] = [];
  for (const { projectId, membershipId } of await membersOf(changed.user.id, w.tx)) {
    const project = await shareProject(w.tx, projectId);
    const row = await lockRow(w.tx, projectId, 'ProjectMembership', membershipId);
    if (!row || row.deleted) continue;
    const membership = toResource<ProjectMembership>(row);
    const user = { ...membership.user, display: changed.email };
    await saveMembership(w, row, { ...membership, user }, author);
    if (changed.profiles) await changeTelecom(w, author, projectId, membership.profile.reference ?? '', changed);
    followed.push({ project: { ...project, id: projectId }, membershipId, isActive: membership.active !== false });
  }
  return followed;
}

type ContactPoint = { system?: string; use?: string; value?: string };

async function changeTelecom(
  w: Write,
  author: string,
  projectId: string,
  profile: string,
  { user, email }: Changed,
): Promise<void> {
  const [type = '', id = ''] = profile.split('/');
  const row = await lockRow(w.tx, projectId, type, id);
  if (!row || row.deleted) return;
  const resource = toResource<Resource & { telecom?: ContactPoint[] }>(row);
  const { telecom = [] } = resource;
  const isOld = ({ system, value }: ContactPoint) => system === 'email' && value?.toLowerCase() === user.email;
  const next = telecom.some(isOld)
    ? telecom.map((point) => (isOld(point) ? { ...point, value: email } : point))
    : [...telecom, { system: 'email', use: 'work', value: email }];
  const saved = await updateRow(w, row, { ...resource, telecom: next }, author);
  w.audit({
    projectId,
    action: 'resource.update',
    target: profile,
    before: { version: row.version },
    after: { version: saved.version },
  });
}
