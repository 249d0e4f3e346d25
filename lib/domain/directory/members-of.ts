import { sql } from 'drizzle-orm';
import { db, type Queryable } from '#lib/infra/db/client.ts';
import { together } from '#lib/infra/db/together.ts';
import { projectsOf } from './projects-of.ts';

export type MemberOf = { projectId: string; membershipId: string; awaitsProof: boolean };

/** All memberships of somebody, project by project in the order of their ids: whoever locks several does it so. */
export async function membersOf(userId: string, q: Queryable = db()): Promise<MemberOf[]> {
  const projects = await projectsOf(userId, q);
  const found = await together(...projects.sort().map((projectId) => findIn(q, projectId, userId)));
  return found.flat();
}

async function findIn(q: Queryable, projectId: string, userId: string): Promise<MemberOf[]> {
  const rows = await q.execute<{ membership_id: string; awaits_proof: boolean }>(sql`
    select membership_id, awaits_proof from membership_key
    where project_id = ${projectId} and user_ref = ${`User/${userId}`} order by membership_id`);
  return rows.map((row) => ({ projectId, membershipId: row.membership_id, awaitsProof: row.awaits_proof }));
}
