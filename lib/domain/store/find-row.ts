import { AppError, notFound } from '#lib/base/errors.ts';
import { db, type Queryable, runText } from '#lib/infra/db/client.ts';
import { typeId } from '#lib/protocol/fhir/type-ids.ts';
import { fromRaw, type RawRow, type Row } from './row.ts';

/** The current version, a deleted one too; undefined when there never was one. One prepared statement, one round trip. */
export async function findRow(
  projectId: string,
  type: string,
  id: string,
  q: Queryable = db(),
): Promise<Row | undefined> {
  const [raw] = await runText<RawRow>(q, findText(typeId(type), ''), [projectId, id]);
  return raw && fromRaw(projectId, type, raw);
}

const texts = new Map<string, string>();

/** The type stands in the text: then PostgreSQL plans one partition, once, and not eleven at every execution. */
function findText(type: number, lock: '' | 'for update' | 'for share'): string {
  const key = `${type} ${lock}`;
  const known = texts.get(key);
  if (known !== undefined) return known;
  const text = `select id, version, last_updated, deleted, author, meta::text as meta, content::text as content
    from resource where project_id = $1 and type_id = ${type} and id = $2 ${lock}`;
  texts.set(key, text);
  return text;
}

/** As `findRow`, inside a transaction and locked until its end: a change based on this version cannot be overtaken. */
export async function lockRow(tx: Queryable, projectId: string, type: string, id: string): Promise<Row | undefined> {
  return inTransaction(tx, projectId, type, id, 'for update');
}

/** Inside a transaction, and kept from being changed or deleted until its end: for what is referred to. */
export async function shareRow(tx: Queryable, projectId: string, type: string, id: string): Promise<Row | undefined> {
  return inTransaction(tx, projectId, type, id, 'for share');
}

async function inTransaction(
  tx: Queryable,
  projectId: string,
  type: string,
  id: string,
  lock: 'for update' | 'for share',
): Promise<Row | undefined> {
  const [raw] = await runText<RawRow>(tx, findText(typeId(type), lock), [projectId, id]);
  return raw && fromRaw(projectId, type, raw);
}

/** A row that is there: 404 for none, 410 for a deleted one. */
export function requireLive(row: Row | undefined): Row {
  if (!row) throw notFound();
  if (row.deleted) throw new AppError('gone', 'Deleted');
  return row;
}
