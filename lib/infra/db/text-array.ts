import { type Column, type SQL, sql } from 'drizzle-orm';

/** PostgreSQL's text form of an array: the driver knows no array types. */
export function toTextArray(values: readonly (string | null)[]): string {
  return `{${values.map((value) => (value === null ? 'NULL' : quoted(value))).join(',')}}`;
}

/** Control characters: what JSON escapes otherwise than an array does. */
const OTHERWISE = /\p{Cc}/u;

/** By the engine's own escapes, which are ten times as fast as a replacement of each quote: most of what is stored is JSON. */
function quoted(value: string): string {
  return OTHERWISE.test(value) || !value.isWellFormed()
    ? `"${value.replace(/[\\"]/g, '\\$&')}"`
    : JSON.stringify(value);
}

/** One of several texts, in a statement whose text does not vary with how many there are (data.md, planner lesson 13). */
export function isAnyOf(column: Column | SQL, values: readonly string[]): SQL {
  return sql`${column} = any(${toTextArray(values)}::text[])`;
}

/** As `isAnyOf`, for a column of UUIDs. */
export function isAnyUuidOf(column: Column | SQL, values: readonly string[]): SQL {
  return sql`${column} = any(${toTextArray(values)}::uuid[])`;
}
