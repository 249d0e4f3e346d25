import { sql } from 'drizzle-orm';
import { db } from '#lib/infra/db/client.ts';
import type { LinkInfo } from '#lib/protocol/answers/link.ts';
import { typeId } from '#lib/protocol/fhir/type-ids.ts';
import type { Project, ProjectMembership } from '#lib/protocol/fhir/types.ts';
import { requireLink } from '../links/find-link.ts';
import { openLink } from '../links/open-link.ts';
import { readLinkState } from '../links/read-link-state.ts';
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
  const rows = await db().execute<{ type_id: number; content: Project | ProjectMembership }>(sql`
    select type_id, content from resource where project_id = ${projectId} and not deleted
      and ((type_id = ${typeId('Project')} and id = ${projectId}) or (type_id = ${typeId('ProjectMembership')} and id = ${membershipId ?? ''}))`);
  const project = rows.find((row) => row.type_id === typeId('Project'))?.content as Project | undefined;
  const membership = rows.find((row) => row.type_id === typeId('ProjectMembership'))?.content as
    | ProjectMembership
    | undefined;
  return {
    project: { id: projectId, name: project?.name ?? '' },
    invitedBy: membership?.invitedBy?.display,
    profileType: membership?.profile?.reference?.split('/')[0],
    admin: membership?.admin === true,
  };
}
