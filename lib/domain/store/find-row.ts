import { AppError, notFound } from '#lib/base/errors.ts';
import { db, type Queryable, runText } from '#lib/infra/db/client.ts';
import { toTextArray } from '#lib/infra/db/text-array.ts';
import { typeId } from '#lib/protocol/fhir/type-ids.ts';
import { fromRaw, isErased, type RawRow, type Row } from './row.ts';

/** The current version, a deleted one too; undefined when there never was one. One prepared statement, one round trip. */
export async function findRow(
  projectId: string,
  type: string,
  id: string,
  q: Queryable = db(),
): Promise<Row | undefined> {
  const [raw] = await runText<RawRow>(q, findText(type, ''), [projectId, id]);
  return raw && fromRaw(projectId, type, raw);
}

type Key = readonly [type: string, id: string];

/**
 * Some of one project that are not deleted, each at its place, in one round trip. Each by its key: with an `or` between them, PostgreSQL may
 * look through all that the project has.
 */
export async function findEach(
  projectId: string,
  keys: readonly Key[],
  q: Queryable = db(),
): Promise<(Row | undefined)[]> {
  const name = keys.map(([type]) => type).join(' and ');
  const text =
    texts.get(name) ??
    keys
      .map(([type], at) => `select ${at} as at, a${at}.* from (${textOf(type, `$${at + 2}`)}) a${at}`)
      .join(' union all ');
  texts.set(name, text);
  const raws = await runText<RawRow & { at: number }>(q, text, [projectId, ...keys.map(([, id]) => id)]);
  return keys.map(([type], at) => {
    const raw = raws.find((each) => each.at === at);
    return raw && !raw.deleted ? fromRaw(projectId, type, raw) : undefined;
  });
}

const texts = new Map<string, string>();

/** The type stands in the text: then PostgreSQL plans one partition, once, and not eleven at every execution. */
function findText(type: string, lock: '' | 'for update' | 'for share'): string {
  const key = `${type} ${lock}`;
  const known = texts.get(key);
  if (known !== undefined) return known;
  const text = `${textOf(type, '$2')} ${lock}`;
  texts.set(key, text);
  return text;
}

function textOf(type: string, id: string): string {
  return `select id, version, last_updated, deleted, author, meta::text as meta, content::text as content
    from resource where project_id = $1 and type_id = ${typeId(type)} and id = ${id}`;
}

/** As `findRow`, inside a transaction and locked until its end: a change based on this version cannot be overtaken. */
export async function lockRow(tx: Queryable, projectId: string, type: string, id: string): Promise<Row | undefined> {
  return inTransaction(tx, projectId, type, id, 'for update');
}

/** Inside a transaction, and kept from being changed or deleted until its end: for what is referred to. */
export async function shareRow(tx: Queryable, projectId: string, type: string, id: string): Promise<Row | undefined> {
  return inTransaction(tx, projectId, type, id, 'for share');
}

/** As `lockRow`, of several, in the order that all keep; deleted ones too. One statement, however many. */
export async function lockRows(tx: Queryable, projectId: string, type: string, ids: readonly string[]): Promise<Row[]> {
  return severalIn(tx, projectId, type, ids, 'for update');
}

async function severalIn(
  tx: Queryable,
  projectId: string,
  type: string,
  ids: readonly string[],
  lock: 'for update' | 'for share',
): Promise<Row[]> {
  const text = `select id, version, last_updated, deleted, author, meta::text as meta, content::text as content
    from resource where project_id = $1 and type_id = ${typeId(type)} and id = any($2::text[]) order by id ${lock}`;
  const raws = await runText<RawRow>(tx, text, [projectId, toTextArray(ids)]);
  return raws.map((raw) => fromRaw(projectId, type, raw));
}

/** As `shareRow`, of several, in the order that all keep; deleted ones too. One statement, however many. */
export async function shareRows(
  tx: Queryable,
  projectId: string,
  type: string,
  ids: readonly string[],
): Promise<Row[]> {
  return severalIn(tx, projectId, type, ids, 'for share');
}

async function inTransaction(
  tx: Queryable,
  projectId: string,
  type: string,
  id: string,
  lock: 'for update' | 'for share',
): Promise<Row | undefined> {
  const [raw] = await runText<RawRow>(tx, findText(type, lock), [projectId, id]);
  return raw && fromRaw(projectId, type, raw);
}

/** A row that is there: 404 for none, 410 for a deleted one. */
export function requireLive(row: Row | undefined): Row {
  if (!row) throw notFound();
  if (row.deleted) throw new AppError('gone', isErased(row) ? 'Erased' : 'Deleted');
  return row;
}
