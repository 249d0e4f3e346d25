import { env } from '#lib/base/env.ts';
import { isOlder, type OverRows } from '#lib/infra/db/sweep.ts';

/** That it was done stands in the audit log. */
export function over(): OverRows {
  return {
    record_erasure: { key: ['project_id', 'id'], which: isOlder('t.finished_at', env().RETAIN_JOBS_DAYS) },
  };
}
