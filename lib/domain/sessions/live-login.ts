import { type SQL, sql } from 'drizzle-orm';
import { idleLife, longestLife, sessionLife } from './token-lifetimes.ts';

/**
 * Whether the row `l` of `login` is a session that may still be used (contract §1.3): granted, not ended, and last used no longer ago than
 * its longest token lives, and than its project lets a person's login be idle. `projectId`: whose login it is.
 */
export function isLive(projectId: string): SQL {
  return sql`(${isUsable(projectId)} and not exists (
    select from login_cutoff c where c.project_id = ${projectId} and c.user_ref = l.user_ref and l.auth_time <= c.at))`;
}

/** The same of a person's logins in all of these projects: only programs are cut off. */
export function isLiveInAnyOf(projects: readonly string[]): SQL {
  return isUsable(projects);
}

function isUsable(of: string | readonly string[]): SQL {
  return sql`(l.granted and not l.revoked and l.last_used_at > now() - least(${longestLife('l', of)}, ${idleLife('l', of)})
    and l.auth_time > now() - coalesce(${sessionLife('l', of)}, interval '1000 years'))`;
}
