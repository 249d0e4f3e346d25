import { runWrite } from '#lib/infra/db/client.ts';
import { retried } from '#lib/infra/db/errors.ts';
import type { AuditEntry, Ctx } from '../access/context.ts';
import { manyRows, toArrays } from './many-rows.ts';
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
  const all = [...statement.params, ...toArrays(COLUMNS, cells)];
  await retried(() => runWrite(textOf(statement), all));
  sealAll(cells);
  for (const [ctx, entry] of rows) ctx.committed?.([entry]);
}

const texts = new Map<string, string>();

function textOf({ parts, params }: Statement): string {
  const text = texts.get(parts) ?? `with ${parts} ${manyRows(COLUMNS, params.length)}`;
  texts.set(parts, text);
  return text;
}
