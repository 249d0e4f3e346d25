import { sql } from 'drizzle-orm';
import { env } from '#lib/base/env.ts';
import { isOlder, type OverRows } from '#lib/infra/db/sweep.ts';

/** Reviews that are over, as long as the audit log; one goes when its rows are gone. */
export function over(): OverRows {
  const { RETAIN_AUDIT_DAYS } = env();
  const [ofRow, own] = [isOlder('v.closed_at', RETAIN_AUDIT_DAYS), isOlder('t.closed_at', RETAIN_AUDIT_DAYS)];
  const isOver = sql`state in ('closed', 'cancelled')`;
  return {
    access_review_row: {
      key: ['project_id', 'review_id', 'number'],
      which:
        ofRow &&
        sql`exists (select from access_review v where v.project_id = t.project_id and v.id = t.review_id and v.${isOver} and ${ofRow})`,
    },
    access_review: {
      key: ['project_id', 'id'],
      which:
        own &&
        sql`t.${isOver} and ${own} and not exists (
        select from access_review_row r where r.project_id = t.project_id and r.review_id = t.id)`,
    },
  };
}
