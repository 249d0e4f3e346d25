import { sql } from 'drizzle-orm';
import type { OverRows } from '#lib/infra/db/sweep.ts';

/** Nobody manages who is no longer there. */
export function over(): OverRows {
  return {
    scim_member: {
      key: ['project_id', 'membership_id'],
      which: (projectId) => sql`
        not exists (select from membership_key k where k.project_id = ${projectId} and k.membership_id = t.membership_id)
        or not exists (select from scim_connection c where c.project_id = ${projectId} and c.id = t.connection_id)`,
    },
  };
}
