import { sql } from 'drizzle-orm';
import type { OverRows } from '#lib/infra/db/sweep.ts';
import { LIVE_LOGIN } from '../sessions/live-login.ts';

const SUCCEEDED_AT = sql`(select min(n.created_at) from signing_key n where n.active and n.created_at > t.created_at)`;

/**
 * Keys that were retired, and those that another has succeeded for a day when no login is left that began before: no token of theirs can
 * live any more. A process may hear of its new key a moment later.
 */
export function over(): OverRows {
  return {
    signing_key: {
      key: ['kid'],
      which: sql`not t.active or (${SUCCEEDED_AT} < now() - interval '1 day' and not exists (
        select 1 from login l where l.auth_time < ${SUCCEEDED_AT} + interval '1 minute' and ${LIVE_LOGIN}))`,
    },
  };
}
