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
  const isOver = isUnused ? sql`${isUnused} and (t.revoked or ${isUnused} - ${longestLife('t')})` : sql`false`;
  return {
    login: {
      key: ['id'],
      which: sql`case when t.auth_method = 'client' then t.auth_time < now() - interval '1 hour' - ${longestLife('t')}
        else ${isOver} end
        and exists (select 1 from login n where n.user_ref = t.user_ref and n.membership_id is not distinct from t.membership_id
          and (n.last_used_at, n.id) > (t.last_used_at, t.id))`,
    },
    login_cutoff: {
      key: ['user_ref'],
      which: sql`not exists (select from login l where l.user_ref = t.user_ref and l.auth_time <= t.at)`,
    },
  };
}
