import { env } from '#lib/base/env.ts';
import { isOlder, type OverRows } from '#lib/infra/db/sweep.ts';

/** An answer is told again for a day, unless the settings say more. */
export function over(): OverRows {
  return {
    idempotency_key: {
      key: ['project_id', 'membership_id', 'key'],
      which: isOlder('t.created_at', env().RETAIN_IDEMPOTENCY_DAYS),
    },
  };
}
