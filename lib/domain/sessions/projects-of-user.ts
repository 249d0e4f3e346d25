import { sql } from 'drizzle-orm';
import { SERVER_SCOPE } from '#lib/base/ids.ts';
import type { Queryable } from '#lib/infra/db/client.ts';

/**
 * Where a person ("User/id") may have logins, in one order for all who lock them: their projects, and the server's scope, where sign-ins
 * wait for their membership.
 */
export async function projectsOfUser(q: Queryable, userRef: string): Promise<string[]> {
  const rows = await q.execute<{ project_id: string }>(
    sql`select distinct project_id from membership_key where user_ref = ${userRef}`,
  );
  return [SERVER_SCOPE, ...rows.map((row) => row.project_id)].sort();
}
