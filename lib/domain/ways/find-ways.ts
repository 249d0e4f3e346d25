import { sql } from 'drizzle-orm';
import type { Queryable } from '#lib/infra/db/client.ts';
import { typeId } from '#lib/protocol/fhir/type-ids.ts';
import type { ProjectMembership, ProjectSetting } from '#lib/protocol/fhir/types.ts';
import { type Way, waysOf } from '#lib/protocol/sign-in/ways.ts';
import { enforcedDomains } from './enforced-domains.ts';

type Member = Pick<ProjectMembership, 'admin' | 'signInWays' | 'profile'>;
type Of = { projectId: string; membershipId: string; email: string | undefined; membership?: Member };
type Found = { setting: ProjectSetting[] | null; membership: Member | null; enforced: string[] | null };

/** By which ways a membership is entered, as the project stands. `membership`: of one that may not be stored yet. */
export async function findWays(q: Queryable, { projectId, membershipId, email, membership }: Of): Promise<Way[]> {
  const [row] = await q.execute<Found>(sql`
    select p.content->'setting' as setting, (select m.content from resource m
      where m.project_id = ${projectId} and m.type_id = ${typeId('ProjectMembership')} and m.id = ${membershipId} and not m.deleted
    ) as membership, ${enforcedDomains(projectId)} as enforced
    from resource p
    where p.project_id = ${projectId} and p.type_id = ${typeId('Project')} and p.id = ${projectId} and not p.deleted`);
  const of = membership ?? row?.membership ?? {};
  return waysOf(row?.setting ?? [], of, { domains: row?.enforced ?? [], email });
}
