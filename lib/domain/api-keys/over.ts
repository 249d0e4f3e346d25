import { sql } from 'drizzle-orm';
import type { OverRows } from '#lib/infra/db/sweep.ts';

/** One that has expired is still listed for a month, so that its owner sees why a script stopped. */
export function over(): OverRows {
  return {
    api_key: {
      key: ['project_id', 'id'],
      which: (projectId) => sql`t.expires_at < now() - interval '30 days'
        or not exists (select from membership_key k where k.project_id = ${projectId} and k.membership_id = t.membership_id)`,
    },
  };
}
