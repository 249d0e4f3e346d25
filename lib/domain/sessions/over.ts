import { sql } from 'drizzle-orm';
import { env } from '#lib/base/env.ts';
import { isOlder, type OverRows } from '#lib/infra/db/sweep.ts';
import { longestLife } from './token-lifetimes.ts';

/**
 * Logins go some time after their end; those of programs with their token, for there is one for each. The newest stays: it tells when a
 * member was last here.
 */
export function over(): OverRows {
  const isUnused = isOlder('t.last_used_at', env().RETAIN_LOGINS_DAYS);
  return {
    login: {
      key: ['project_id', 'id'],
      which: (projectId) => {
        const life = longestLife('t', projectId);
        const isOver = isUnused ? sql`${isUnused} and (t.revoked or ${isUnused} - ${life})` : sql`false`;
        return sql`case when t.auth_method = 'client' then t.auth_time < now() - interval '1 hour' - ${life} else ${isOver} end
          and exists (select 1 from login n where n.project_id = ${projectId} and n.user_ref = t.user_ref
            and n.membership_id is not distinct from t.membership_id and (n.last_used_at, n.id) > (t.last_used_at, t.id))`;
      },
    },
    login_cutoff: {
      key: ['project_id', 'user_ref'],
      which: (projectId) =>
        sql`not exists (select from login l where l.project_id = ${projectId} and l.user_ref = t.user_ref and l.auth_time <= t.at)`,
    },
  };
}
