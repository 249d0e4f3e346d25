import { db } from '#lib/infra/db/client.ts';
import type { LinkInfo } from '#lib/protocol/answers/link.ts';
import type { Project, ProjectMembership } from '#lib/protocol/fhir/types.ts';
import { requireLink } from '../links/find-link.ts';
import { openLink } from '../links/open-link.ts';
import { readLinkState } from '../links/read-link-state.ts';
import { findEach } from '../store/find-row.ts';
import { toResource } from '../store/row.ts';
import { findUserAnywhere } from './find-user.ts';
import { hasPassword } from './has-password.ts';

/** What a one-time link is for, without spending it; notes that it was opened. Throws 404 and 400 as `requireLink` does. */
export async function readLink(id: string, secret: string): Promise<LinkInfo> {
  const row = await requireLink(db(), id, secret);
  await openLink(id);
  const user = await findUserAnywhere(row.userId, row.projectId ?? undefined);
  return {
    type: row.kind,
    ...(await readLinkState(db(), row)),
    expiresAt: row.expiresAt.toISOString(),
    email: user?.email,
    name: user && `${user.firstName} ${user.lastName}`,
    hasPassword: await hasPassword(db(), row.userId),
    ...(row.projectId ? await describeProject(row.projectId, row.membershipId) : {}),
  };
}

async function describeProject(projectId: string, membershipId: string | null): Promise<Partial<LinkInfo>> {
  const found = await findEach(projectId, [
    ['Project', projectId],
    ['ProjectMembership', membershipId ?? ''],
  ]);
  const project = found[0] && toResource<Project>(found[0]);
  const membership = found[1] && toResource<ProjectMembership>(found[1]);
  return {
    project: { id: projectId, name: project?.name ?? '' },
    invitedBy: membership?.invitedBy?.display,
    profileType: membership?.profile?.reference?.split('/')[0],
    admin: membership?.admin === true,
  };
}
