import { type SQL, sql } from 'drizzle-orm';
import { longestLife } from './token-lifetimes.ts';

/**
 * Whether the row `l` of `login` is a session that may still be used (contract §1.3): granted, not ended, and last used no longer ago than
 * its longest token lives.
 */
export const LIVE_LOGIN: SQL = sql`(l.granted and not l.revoked and l.last_used_at > now() - ${longestLife('l')}
  and not exists (select from login_cutoff c where c.user_ref = l.user_ref and l.auth_time <= c.at))`;
