import { env } from '#lib/base/env.ts';
import { isOlder, type OverRows } from '#lib/infra/db/sweep.ts';

/** Who looked, as long as the audit log. */
export function over(): OverRows {
  return { member_view: { key: ['project_id', 'id'], which: isOlder('t.ends_at', env().RETAIN_AUDIT_DAYS) } };
}
