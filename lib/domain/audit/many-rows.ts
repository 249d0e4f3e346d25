import { toTextArray } from '#lib/infra/db/text-array.ts';

const TYPES: Record<string, string> = {
  id: 'uuid',
  outcome: 'smallint',
  actor_membership: 'uuid',
  login_id: 'uuid',
};
const JSON_COLUMNS = new Set(['before', 'after']);

/** The INSERT of any number of rows of one project, $1, from an array a column (`toArrays`). `before`: how many parameters come first. */
export function manyRows(columns: readonly string[], before: number): string {
  const [, ...own] = columns;
  const values = own.map((name) => (JSON_COLUMNS.has(name) ? `"${name}"::jsonb` : `"${name}"`));
  const arrays = own.map((name, at) => `$${before + at + 1}::${TYPES[name] ?? 'text'}[]`);
  return `insert into audit_event (${columns.join(', ')}) select $1::uuid, ${values.join(', ')}
    from unnest(${arrays.join(', ')}) as n(${own.map((name) => `"${name}"`).join(', ')})`;
}

/** The values of the rows, which are in the order of the columns; without the project. */
export function toArrays(columns: readonly string[], rows: readonly unknown[][]): string[] {
  const [, ...own] = columns;
  return own.map((_, at) => toTextArray(rows.map((row) => toText(row[at + 1]))));
}

function toText(value: unknown): string | null {
  return value === null ? null : String(value);
}
