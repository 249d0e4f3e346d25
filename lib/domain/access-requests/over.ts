import { sql } from 'drizzle-orm';
import { env } from '#lib/base/env.ts';
import { isOlder, type OverRows } from '#lib/infra/db/sweep.ts';

/** Requests that are over, as long as the audit log. */
export function over(): OverRows {
  const older = isOlder('t.closed_at', env().RETAIN_AUDIT_DAYS);
  const which = older && sql`t.state not in ('open', 'granted') and ${older}`;
  return { access_request: { key: ['project_id', 'id'], which } };
}
