import { type SQL, sql } from 'drizzle-orm';

/** Of a row of membership_key: whether it is entered now, by its dates. Both columns are of that table alone. */
export const IN_TIME: SQL = sql`(coalesce(not_before, '-infinity') <= now() and coalesce(not_after, 'infinity') > now())`;

/** The same, and as far as anybody knows for ever: what no date will take away. */
export const LASTING: SQL = sql`(coalesce(not_before, '-infinity') <= now() and not_after is null)`;

/** It has not ended; it may begin later. */
export const NOT_ENDED: SQL = sql`(not_after is null or not_after > now())`;
