import { sql } from 'drizzle-orm';
import type { OverRows } from '#lib/infra/db/sweep.ts';
import { KEPT } from './refusal-rows.ts';

export function over(): OverRows {
  return { access_refusal: { key: ['project_id', 'id'], which: sql`t.at < now() - ${KEPT}` } };
}
