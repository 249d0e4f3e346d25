import { sql } from 'drizzle-orm';
import type { Queryable } from '#lib/infra/db/client.ts';
import { findEntering, type KeyFacts } from '../standing/load-invites.ts';

/** Whether the person can enter by this membership: they have set a password, and proven their address where that was asked. */
export async function hasAccepted(q: Queryable, projectId: string, membershipId: string): Promise<boolean> {
  const members = await q.execute<KeyFacts>(sql`
    select membership_id, user_ref, active, awaits_proof, entered_at is not null as entered from membership_key
    where project_id = ${projectId} and membership_id = ${membershipId}`);
  return (await findEntering(q, projectId, members)).has(membershipId);
}
