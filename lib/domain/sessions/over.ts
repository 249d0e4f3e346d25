import { sql } from 'drizzle-orm';
import type { OverRows } from '#lib/infra/db/sweep.ts';
import { longestLife } from './token-lifetimes.ts';

/** Logins go thirty days after their end. The newest stays: it tells when a member was last here. */
export const OVER: OverRows = {
  login: sql`t.last_used_at < now() - interval '30 days'
    and (t.revoked or t.last_used_at < now() - interval '30 days' - ${longestLife('t')})
    and exists (select 1 from login n where n.user_ref = t.user_ref and n.membership_id is not distinct from t.membership_id
      and (n.last_used_at, n.id) > (t.last_used_at, t.id))`,
};
