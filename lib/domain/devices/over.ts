import { sql } from 'drizzle-orm';
import type { OverRows } from '#lib/infra/db/sweep.ts';
import { REMOVED_KEPT_DAYS } from '#lib/protocol/answers/removed.ts';
import { DEVICE_SECONDS } from '../limits/known-device.ts';

/** A browser that no longer has the word; one of an account that can no longer come back. */
export function over(): OverRows {
  const isGone = sql`t.last_seen_at < now() - make_interval(days => ${REMOVED_KEPT_DAYS})
    and not exists (select from user_login u where u.user_id = t.user_id) and not exists (select from credential c where c.user_id = t.user_id)`;
  return {
    known_device: {
      key: ['id'],
      which: sql`t.last_seen_at < now() - make_interval(secs => ${DEVICE_SECONDS}) or (${isGone})`,
    },
  };
}
