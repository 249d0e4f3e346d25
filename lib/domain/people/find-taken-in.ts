import { sql } from 'drizzle-orm';
import { SERVER_SCOPE } from '#lib/base/ids.ts';
import type { Queryable } from '#lib/infra/db/client.ts';

/** Of a person: as many accounts as nobody makes one. */
const MOST = 1000;

/** The accounts that this one has taken in, and those that these had: the log of the server says so. Their addresses are this person's, too. */
export async function findTakenIn(q: Queryable, userId: string): Promise<string[]> {
  const found = new Set([userId]);
  for (const id of found) {
    const rows = await q.execute<{ target: string }>(sql`
      select e.target from audit_event e where e.project_id = ${SERVER_SCOPE}::uuid and e.action collate "C" = 'user.merge'
        and e.after ->> 'into' = ${`User/${id}`} limit ${MOST}`);
    for (const { target } of rows) if (found.size < MOST) found.add(target.slice('User/'.length));
  }
  found.delete(userId);
  return [...found];
}
