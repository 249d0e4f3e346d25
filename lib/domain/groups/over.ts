import { sql } from 'drizzle-orm';
import type { OverRows } from '#lib/infra/db/sweep.ts';

/** Whoever is disconnected leaves its groups, and what they gave, to the sweep: from then on they count for nothing. */
export function over(): OverRows {
  const isDisconnected = (projectId: string) => sql`
    not exists (select from scim_connection c where c.project_id = ${projectId} and c.id = t.connection_id)`;
  const isGone = (projectId: string) => sql`
    not exists (select from membership_key k where k.project_id = ${projectId} and k.membership_id = t.membership_id)`;
  return {
    scim_group: { key: ['project_id', 'id'], which: isDisconnected },
    scim_group_member: {
      key: ['project_id', 'group_id', 'membership_id'],
      which: (projectId) => sql`${isGone(projectId)}
        or not exists (select from scim_group g where g.project_id = ${projectId} and g.id = t.group_id)`,
    },
    scim_given: {
      key: ['project_id', 'membership_id', 'connection_id'],
      which: (projectId) => sql`${isGone(projectId)} or ${isDisconnected(projectId)}`,
    },
  };
}
