import { sql } from 'drizzle-orm';
import { SERVER_SCOPE } from '#lib/base/ids.ts';
import type { Queryable } from '#lib/infra/db/client.ts';
import { typeId } from '#lib/protocol/fhir/type-ids.ts';

/** From the membership to the account, never from all accounts. A program has none. */
const USER_ID = sql.raw("case when k.user_ref like 'User/%' then substr(k.user_ref, 6) end");

/**
 * Whether the person can enter by this membership: they have set a password, and proven their address where that was asked
 * (membership_key.awaits_proof).
 */
export async function hasAccepted(q: Queryable, projectId: string, membershipId: string): Promise<boolean> {
  const [row] = await q.execute(sql`
    select 1 from membership_key k
    join credential c on c.user_id = (${USER_ID})::uuid
    join resource u on u.project_id in (${SERVER_SCOPE}, k.project_id) and u.type_id = ${typeId('User')} and u.id = ${USER_ID} and not u.deleted
    where k.project_id = ${projectId} and k.membership_id = ${membershipId}
      and (not k.awaits_proof or u.content->>'emailVerified' = 'true')`);
  return row !== undefined;
}
