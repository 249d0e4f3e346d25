import { type Column, type SQL, sql } from 'drizzle-orm';

/** PostgreSQL's text form of an array: the driver knows no array types. */
export function toTextArray(values: readonly (string | null)[]): string {
  return `{${values.map((value) => (value === null ? 'NULL' : `"${value.replace(/[\\"]/g, '\\$&')}"`)).join(',')}}`;
}

/** One of several texts, in a statement whose text does not vary with how many there are (data.md, planner lesson 13). */
export function isAnyOf(column: Column | SQL, values: readonly string[]): SQL {
  return sql`${column} = any(${toTextArray(values)}::text[])`;
}

/** As `isAnyOf`, for a column of UUIDs. */
export function isAnyUuidOf(column: Column | SQL, values: readonly string[]): SQL {
  return sql`${column} = any(${toTextArray(values)}::uuid[])`;
}
