import { sql } from 'drizzle-orm';
import { env } from '#lib/base/env.ts';
import { isOlder, type OverRows } from '../db/sweep.ts';

/** Mails by their age, but for what invited a member who is still there; of the development mailbox all but the newest 500. */
export function over(): OverRows {
  const isOld = isOlder('t.created_at', env().RETAIN_MAIL_DAYS);
  return {
    dev_mail: { key: ['id'], which: sql`t.at < (select at from dev_mail order by at desc offset 499 limit 1)` },
    mail: {
      key: ['project_id', 'id'],
      which:
        isOld &&
        ((projectId) =>
          sql`${isOld} and not (t.template in ('invite', 'added') and exists (
            select from membership_key k where k.project_id = ${projectId}::uuid and k.membership_id = t.membership_id))`),
    },
  };
}
