import { type SQL, sql } from 'drizzle-orm';

/** Part of a statement about one project: its domains whose people enter by their provider alone, as JSON; null when there is none. */
export function enforcedDomains(projectId: string): SQL {
  return sql`(select jsonb_agg(d.domain) from mail_domain d
    where d.project_id = ${projectId} and d.enforced and d.verified_at is not null)`;
}
