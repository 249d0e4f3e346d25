import { runWrite } from '#lib/infra/db/client.ts';
import { retried } from '#lib/infra/db/errors.ts';
import { toTextArray } from '#lib/infra/db/text-array.ts';
import type { AuditEntry, Ctx } from '../access/context.ts';
import { COLUMNS, type Statement, sealAll, toRow } from './write.ts';

/**
 * One statement for several requests, each with its audit row, all of one project: $1 of the statement. PostgreSQL commits them together, or
 * none of them. Throws the database's own errors.
 */
export async function writeTogether(
  statement: Statement,
  rows: readonly (readonly [Ctx, AuditEntry])[],
): Promise<void> {
  const cells = rows.map(([ctx, entry]) => toRow(ctx, entry));
  const arrays = OWN.map((_, at) => toTextArray(cells.map((row) => toText(row[at + 1]))));
  await retried(() => runWrite(textOf(statement), [...statement.params, ...arrays]));
  sealAll(cells);
}

const [, ...OWN] = COLUMNS;
const TYPES: Partial<Record<(typeof COLUMNS)[number], string>> = {
  id: 'uuid',
  outcome: 'smallint',
  actor_membership: 'uuid',
  login_id: 'uuid',
};
const JSON_COLUMNS = new Set<string>(['before', 'after']);

const texts = new Map<string, string>();

function textOf({ parts, params }: Statement): string {
  const text = texts.get(parts) ?? makeText(parts, params.length);
  texts.set(parts, text);
  return text;
}

/** `before`: how many parameters the statement has besides. */
function makeText(parts: string, before: number): string {
  const values = OWN.map((name) => (JSON_COLUMNS.has(name) ? `"${name}"::jsonb` : `"${name}"`));
  const arrays = OWN.map((name, at) => `$${before + at + 1}::${TYPES[name] ?? 'text'}[]`);
  return `with ${parts} insert into audit_event (${COLUMNS.join(', ')}) select $1::uuid, ${values.join(', ')}
    from unnest(${arrays.join(', ')}) as n(${OWN.map((name) => `"${name}"`).join(', ')})`;
}

function toText(value: unknown): string | null {
  return value === null ? null : String(value);
}
