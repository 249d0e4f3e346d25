import { sql } from 'drizzle-orm';
import { env } from '#lib/base/env.ts';
import { daysAgo, type OverRows } from '#lib/infra/db/sweep.ts';
import { write } from './write.ts';

/** Nobody's rows go unless the settings say so; and that they went stands in the log that they went from, with how many they were. */
export function over(): OverRows {
  const days = env().RETAIN_AUDIT_DAYS;
  // The beginning of a day: else each hour would drop a little and tell of it.
  const before = days === 'forever' ? undefined : `${daysAgo(days).slice(0, 10)}T00:00:00.000Z`;
  return {
    audit_event: {
      key: ['project_id', 'id'],
      which: before === undefined ? undefined : sql`t.at < ${before}::timestamptz`,
      inside: (projectId, drop) =>
        write({ requestId: 'sweep', remoteAddress: '', userAgent: '' }, async (w) => {
          const rows = await drop(w.tx);
          if (rows === 0) w.unchanged();
          else w.audit({ projectId, action: 'audit.sweep', target: `Project/${projectId}`, after: { rows, before } });
          return rows;
        }),
    },
  };
}
