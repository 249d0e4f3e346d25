import { env } from '#lib/base/env.ts';
import { isOlder, type OverRows } from '#lib/infra/db/sweep.ts';

/** Grants that were closed, as long as the audit log. One that nobody has reviewed stays. */
export function over(): OverRows {
  const which = isOlder('t.closed_at', env().RETAIN_AUDIT_DAYS);
  return { break_glass: { key: ['project_id', 'id'], which } };
}
