import { sql } from 'drizzle-orm';
import type { OverRows } from '#lib/infra/db/sweep.ts';

export function over(): OverRows {
  return { bulk_export: { key: ['project_id', 'id'], which: sql`t.expires_at < now()` } };
}
