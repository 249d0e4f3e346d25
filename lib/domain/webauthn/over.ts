import { sql } from 'drizzle-orm';
import type { OverRows } from '#lib/infra/db/sweep.ts';
import { REMOVED_KEPT_DAYS } from '#lib/protocol/answers/removed.ts';

/** Passkeys of an account that can no longer come back; challenges that nobody signed in time. */
export function over(): OverRows {
  return {
    passkey: { key: ['id'], which: sql.raw(`t.ended_at < now() - interval '${REMOVED_KEPT_DAYS} days'`) },
    passkey_challenge: { key: ['challenge_hash'], which: sql`t.expires_at < now()` },
  };
}
