import { sql } from 'drizzle-orm';
import type { OverRows } from '#lib/infra/db/sweep.ts';

export function over(): OverRows {
  return { app_launch: { key: ['project_id', 'hash'], which: sql`t.expires_at < now()` } };
}
