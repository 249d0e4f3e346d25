import { sql } from 'drizzle-orm';
import type { OverRows } from '#lib/infra/db/sweep.ts';

/** With the account, when it can no longer come back: while it may, its password is kept. */
const ACCOUNT_IS_GONE = sql`not exists (select from user_login u where u.user_id = t.user_id)
  and not exists (select from credential c where c.user_id = t.user_id)`;

/** What proves a person beside the password goes with the account; what was only offered or mailed, with its time. */
export function over(): OverRows {
  return {
    factor: {
      key: ['user_id', 'method'],
      which: sql`(t.enrolled_at is null and t.created_at < now() - interval '1 day') or (${ACCOUNT_IS_GONE})`,
    },
    recovery_code: { key: ['user_id', 'code_hash'], which: ACCOUNT_IS_GONE },
    factor_code: { key: ['user_id', 'login_id'], which: sql`t.expires_at < now()` },
  };
}
