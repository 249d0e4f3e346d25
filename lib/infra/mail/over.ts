import { sql } from 'drizzle-orm';
import type { OverRows } from '../db/sweep.ts';

/** All but the newest 500 of the development mailbox. */
export function over(): OverRows {
  return {
    dev_mail: { key: ['id'], which: sql`t.at < (select at from dev_mail order by at desc offset 499 limit 1)` },
  };
}
