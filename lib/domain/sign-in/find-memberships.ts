import { sql } from 'drizzle-orm';
import { SERVER_SCOPE } from '#lib/base/ids.ts';
import { db } from '#lib/infra/db/client.ts';
import type { LoginMembership } from '#lib/protocol/answers/login.ts';
import { typeId } from '#lib/protocol/fhir/type-ids.ts';
import type { Project, ProjectMembership } from '#lib/protocol/fhir/types.ts';

/** A membership to sign in with, and where it is. */
export type Choice = LoginMembership & { projectId: string };

const MOST = 100;

/** The memberships that a person can sign in with: active, in an active project, at most 100, in the order they were made. */
export async function findMemberships(
  userId: string,
  limits: { projectId?: string; profileType?: string } = {},
): Promise<Choice[]> {
  const rows = await db().execute<{
    project_id: string;
    membership_id: string;
    membership: ProjectMembership;
    project: Project;
  }>(sql`
    select k.project_id, k.membership_id, m.content as membership, p.content as project
    from membership_key k
    join resource m on m.project_id = k.project_id and m.type_id = ${typeId('ProjectMembership')} and m.id = k.membership_id::text and not m.deleted
    join resource p on p.project_id = k.project_id and p.type_id = ${typeId('Project')} and p.id = k.project_id::text and not p.deleted
    join resource u on u.project_id in (${SERVER_SCOPE}, k.project_id) and u.type_id = ${typeId('User')} and u.id = ${userId} and not u.deleted
    where k.user_ref = ${`User/${userId}`} and k.active and (not k.awaits_proof or u.content->>'emailVerified' = 'true') and p.content->>'active' is distinct from 'false'
      ${limits.projectId ? sql`and k.project_id::text = ${limits.projectId}` : sql``}
      ${limits.profileType ? sql`and k.profile_ref like ${`${limits.profileType.replace(/[^A-Za-z]/g, '')}/%`}` : sql``}
    order by m.last_updated, m.id limit ${MOST}`);
  return rows.map((row) => ({
    id: row.membership_id,
    projectId: row.project_id,
    project: { reference: `Project/${row.project_id}`, display: row.project.name },
    profile: row.membership.profile,
    ...(row.membership.identifier ? { identifier: row.membership.identifier } : {}),
  }));
}
