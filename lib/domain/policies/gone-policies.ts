import { sql } from 'drizzle-orm';
import { db } from '#lib/infra/db/client.ts';
import type { GonePolicy } from '#lib/protocol/answers/access-policies.ts';
import { policiesLackedBy, suspectsOf } from '../standing/mark-gone-policies.ts';
import { sumMembers } from '../standing/sum-members.ts';

/** So many are told. */
const MOST = 20;

/** What memberships name and the project does not have: nobody comes in by these. Those that most name first. */
export async function gonePolicies(projectId: string): Promise<GonePolicy[]> {
  const suspects = suspectsOf(await sumMembers(projectId));
  return db().execute<GonePolicy>(sql`
    select n.policy as reference, count(*)::int as members
    from membership_key k cross join lateral ${policiesLackedBy(projectId)}
    where k.project_id = ${projectId} and ${suspects}
    group by n.policy order by 2 desc, 1 limit ${MOST}`);
}
