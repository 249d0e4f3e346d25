import { type SQL, sql } from 'drizzle-orm';
import { LIGHT_ONLY, type WeighedRow, WHOLE } from '../page-weight.ts';
import type { OrderKey } from '../search-cursor.ts';
import { keyColumns, keyTexts, orderAgain } from '../search-order.ts';

export type KeyedRow = WeighedRow & Record<`key${number}`, string | null>;

/**
 * The rows of the page first (`rows`: all behind its SELECT, of row `r`), and then their texts: beside a sort PostgreSQL would unpack each row
 * that fits. `isLight`: without the texts of heavy ones.
 */
export function pageOf(keys: OrderKey[], rows: SQL, isLight: boolean): SQL {
  return sql`
    select r.id, r.version, r.last_updated, r.author, ${isLight ? LIGHT_ONLY : WHOLE}${keyTexts(keys)} from (
      select r.*${keyColumns(keys)} ${rows}) r
    order by ${orderAgain(keys)}`;
}
