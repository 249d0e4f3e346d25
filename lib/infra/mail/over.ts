import { sql } from 'drizzle-orm';
import type { OverRows } from '../db/sweep.ts';

/** All but the newest 500 of the development mailbox. */
export const OVER: OverRows = { dev_mail: sql`t.at < (select at from dev_mail order by at desc offset 499 limit 1)` };
