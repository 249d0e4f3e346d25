import { env } from '#lib/base/env.ts';
import { isOlder, type OverRows } from '#lib/infra/db/sweep.ts';

/** Of what was resolved so long ago no run is left. */
export function over(): OverRows {
  return {
    bot_fault: { key: ['project_id', 'fingerprint'], which: isOlder('t.resolved_at', env().RETAIN_RUNS_DAYS) },
  };
}
