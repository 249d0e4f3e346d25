import { and, asc, eq, gt, sql } from 'drizzle-orm';
import { isUuid } from '#lib/base/ids.ts';
import { unseal } from '#lib/infra/crypto/seal.ts';
import { db, type Queryable, runText } from '#lib/infra/db/client.ts';
import {
  type BulkImportFileRow,
  type BulkImportRow,
  bulkImport,
  bulkImportError,
  bulkImportFile,
} from '#lib/infra/db/schema/fhir/bulk-import.ts';
import { toTextArray } from '#lib/infra/db/text-array.ts';
import { SEALED } from './sealed.ts';

/** Refusals of one file that are kept; what lies beyond is counted. */
export const MOST_REFUSALS = 500;

const PURPOSE = SEALED.bulk_import_file.purpose;

/** Undefined for none, and for one whose time is over. */
export async function findImport(projectId: string, id: string): Promise<BulkImportRow | undefined> {
  if (!isUuid(projectId) || !isUuid(id)) return undefined;
  const isIt = and(eq(bulkImport.projectId, projectId), eq(bulkImport.id, id));
  const [row] = await db()
    .select()
    .from(bulkImport)
    .where(and(isIt, gt(bulkImport.expiresAt, new Date())));
  return row;
}

type Whose = Pick<BulkImportRow, 'projectId' | 'id'>;

const filesOf = ({ projectId, id }: Whose) =>
  and(eq(bulkImportFile.projectId, projectId), eq(bulkImportFile.importId, id));

export async function listFiles(of: Whose, q: Queryable = db()): Promise<BulkImportFileRow[]> {
  return q.select().from(bulkImportFile).where(filesOf(of)).orderBy(asc(bulkImportFile.number));
}

/** The first that is not read to its end. */
export async function findNextFile(of: Whose): Promise<BulkImportFileRow | undefined> {
  const open = and(filesOf(of), eq(bulkImportFile.done, false));
  const [row] = await db().select().from(bulkImportFile).where(open).orderBy(asc(bulkImportFile.number)).limit(1);
  return row;
}

const isFile = ({ projectId, importId, number }: BulkImportFileRow) =>
  and(filesOf({ projectId, id: importId }), eq(bulkImportFile.number, number));

/** As it stands, locked: undefined when the import was cancelled, or is over. */
export async function lockFile(tx: Queryable, file: BulkImportFileRow): Promise<BulkImportFileRow | undefined> {
  const [row] = await tx.select().from(bulkImportFile).where(isFile(file)).for('update');
  return row;
}

export async function saveFile(
  q: Queryable,
  file: BulkImportFileRow,
  set: Partial<Omit<BulkImportFileRow, 'projectId' | 'importId' | 'number'>>,
): Promise<void> {
  await q.update(bulkImportFile).set(set).where(isFile(file));
}

/** `line` 0: of the file itself. */
export type Refusal = { line: number; outcome: object };

const REFUSE = `
  insert into bulk_import_error (project_id, import_id, file, line, outcome)
  select $1::uuid, $2::uuid, $3::int, n.line, n.outcome from unnest($4::int[], $5::text[]) as n(line, outcome)
  on conflict do nothing`;

/** Keeps why lines were refused, as many as there is room for beside `before`. */
export async function keepRefusals(
  tx: Queryable,
  { projectId, importId, number }: Pick<BulkImportFileRow, 'projectId' | 'importId' | 'number'>,
  refusals: readonly Refusal[],
  before: number,
): Promise<void> {
  const room = Math.max(0, MOST_REFUSALS - before);
  const some = refusals.filter(({ line }, at) => line === 0 || at < room);
  if (some.length === 0) return;
  const lines = `{${some.map(({ line }) => line).join(',')}}`;
  const outcomes = toTextArray(some.map(({ outcome }) => JSON.stringify(outcome)));
  await runText(tx, REFUSE, [projectId, importId, number, lines, outcomes]);
}

/** Outcomes of a file, as JSON, in the order of its lines. */
export async function listRefusals({ projectId, id }: Whose, file: number): Promise<string[]> {
  const its = and(
    eq(bulkImportError.projectId, projectId),
    eq(bulkImportError.importId, id),
    eq(bulkImportError.file, file),
  );
  const rows = await db()
    .select({ outcome: bulkImportError.outcome })
    .from(bulkImportError)
    .where(its)
    .orderBy(asc(bulkImportError.line));
  return rows.map(({ outcome }) => outcome);
}

/** Those that name a patient whose record is erased. */
export async function forgetRefusals(tx: Queryable, projectId: string, patientId: string): Promise<void> {
  await tx.execute(sql`
    delete from bulk_import_error where project_id = ${projectId}::uuid and position(${patientId}::text in outcome) > 0`);
}

/** Whether one of the project is under way. */
export async function hasOpen(tx: Queryable, projectId: string): Promise<boolean> {
  const open = and(
    eq(bulkImport.projectId, projectId),
    eq(bulkImport.done, false),
    gt(bulkImport.expiresAt, new Date()),
  );
  const [row] = await tx.select({ id: bulkImport.id }).from(bulkImport).where(open).limit(1);
  return row !== undefined;
}

export async function endRow(tx: Queryable, { projectId, id }: Whose, expiresAt: Date): Promise<boolean> {
  const isOpen = and(eq(bulkImport.projectId, projectId), eq(bulkImport.id, id), eq(bulkImport.done, false));
  const rows = await tx
    .update(bulkImport)
    .set({ done: true, expiresAt })
    .where(isOpen)
    .returning({ id: bulkImport.id });
  return rows.length > 0;
}

/** All that is kept of an import; false when there was none. */
export async function dropImport(tx: Queryable, { projectId, id }: Whose): Promise<boolean> {
  await tx.delete(bulkImportFile).where(filesOf({ projectId, id }));
  await tx
    .delete(bulkImportError)
    .where(and(eq(bulkImportError.projectId, projectId), eq(bulkImportError.importId, id)));
  const gone = await tx
    .delete(bulkImport)
    .where(and(eq(bulkImport.projectId, projectId), eq(bulkImport.id, id)))
    .returning({ id: bulkImport.id });
  return gone.length > 0;
}

export function addressOf({ urlSealed }: BulkImportFileRow): string {
  return unseal(PURPOSE, urlSealed);
}
