import { sql } from 'drizzle-orm';
import { env } from '#lib/base/env.ts';
import { isOlder, type OverRows } from '#lib/infra/db/sweep.ts';

/** Patients' data stands in them. What waits to run was acknowledged, and waits on. */
export function over(): OverRows {
  const isOld = isOlder('t.received_at', env().RETAIN_RUNS_DAYS);
  return {
    hl7_message: {
      key: ['project_id', 'id'],
      which: isOld && sql`${isOld} and t.state not in ('waiting', 'running')`,
    },
  };
}
