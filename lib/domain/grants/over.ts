import { sql } from 'drizzle-orm';
import type { OverRows } from '#lib/infra/db/sweep.ts';

/** For a while a device still hears that its code has expired. */
export function over(): OverRows {
  return { device_request: { key: ['device_hash'], which: sql`t.expires_at < now() - interval '1 hour'` } };
}
